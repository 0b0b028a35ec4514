package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// ErrInUse says that another process answers for this home.
var ErrInUse = errors.New("in use by another process")

// lockHolder is who answers for a home: what the lock file says.
type lockHolder struct {
	PID   int       `json:"pid"`
	Verb  string    `json:"verb"`
	Since time.Time `json:"since"`
}

// HomeLock keeps a second process from answering for the same home. The operating system lets go of it when the
// process ends, however it ends.
type HomeLock struct {
	file *flock.Flock
}

// lockTimeout is how long a lock is tried for that somebody else has.
const lockTimeout = 100 * time.Millisecond

// IsServed says whether `familiar run` serves the home whose lock is at path.
func IsServed(path string) bool {
	words, err := os.ReadFile(path)
	var h lockHolder
	if err != nil || json.Unmarshal(words, &h) != nil || h.Verb != "run" {
		return false
	}
	file := flock.New(path)
	free, err := file.TryRLock() // shared: those who look do not see one another
	if err == nil && free {
		err = file.Unlock()
	}
	return err == nil && !free
}

// LockHome takes the lock at path, or says who has it.
func LockHome(path, verb string, now time.Time) (*HomeLock, error) {
	file := flock.New(path, flock.SetPermissions(0o600))
	// Once more after a moment: it may only have been looked at, see servedNow.
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	got, err := file.TryLockContext(ctx, lockTimeout/4)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !got {
		return nil, fmt.Errorf("%w: %s; stop it first, or point --home elsewhere", ErrInUse, describeHolder(path))
	}
	words, err := json.Marshal(lockHolder{PID: os.Getpid(), Verb: verb, Since: now.UTC().Truncate(time.Second)})
	if err != nil {
		return nil, errors.Join(err, file.Unlock())
	}
	if err := os.WriteFile(path, append(words, '\n'), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("write who holds the home: %w", err), file.Unlock())
	}
	return &HomeLock{file: file}, nil
}

// describeHolder names the holder as well as the lock file can.
func describeHolder(path string) string {
	words, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "a process that is just starting"
	}
	var h lockHolder
	if err != nil || json.Unmarshal(words, &h) != nil || h.PID == 0 {
		return "a process that did not leave its name in " + path
	}
	return fmt.Sprintf("`familiar %s`, process %d, since %s", h.Verb, h.PID, h.Since.Local().Format("2 Jan 15:04"))
}

// Release lets the home go.
func (l *HomeLock) Release() error { return l.file.Unlock() }
