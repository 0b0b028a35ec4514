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

// ErrInUse reports that another process serves this home.
var ErrInUse = errors.New("in use by another process")

// Holder is the content of the lock file: the process that serves the home.
type Holder struct {
	PID int `json:"pid"`
	// Verb is its command: run, chat and so on.
	Verb  string    `json:"verb"`
	Since time.Time `json:"since"`
}

// HomeLock prevents a second process from serving the same home. The operating system releases it when the process
// ends, however it ends.
type HomeLock struct {
	file *flock.Flock
}

// lockTimeout is how long to wait for a lock that somebody else holds.
const lockTimeout = 100 * time.Millisecond

// IsServed reports whether `familiar run` serves the home whose lock file is at path.
func IsServed(path string) bool {
	h, ok := HolderOf(path)
	return ok && h.Verb == "run"
}

// HolderOf returns the process that holds the lock at path, false if there is none.
func HolderOf(path string) (h Holder, held bool) {
	words, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(words, &h) != nil {
		return Holder{}, false
	}
	file := flock.New(path)
	free, err := file.TryRLock() // a shared lock, so that several callers do not block each other
	if err == nil && free {
		err = file.Unlock()
	}
	return h, err == nil && !free
}

// LockHome takes the lock at path. If it is taken, the error names the holder.
func LockHome(path, verb string, now time.Time) (*HomeLock, error) {
	file := flock.New(path, flock.SetPermissions(0o600))
	// Retry for a moment: IsServed of another process may hold the lock briefly.
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	got, err := file.TryLockContext(ctx, lockTimeout/4)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !got {
		return nil, fmt.Errorf("%w: %s; stop it first, or use another --home", ErrInUse, describeHolder(path))
	}
	words, err := json.Marshal(Holder{PID: os.Getpid(), Verb: verb, Since: now.UTC().Truncate(time.Second)})
	if err != nil {
		return nil, errors.Join(err, file.Unlock())
	}
	if err := os.WriteFile(path, append(words, '\n'), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("write the lock file: %w", err), file.Unlock())
	}
	return &HomeLock{file: file}, nil
}

// describeHolder describes the holder as well as the lock file allows.
func describeHolder(path string) string {
	words, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "a process that is starting"
	}
	var h Holder
	if err != nil || json.Unmarshal(words, &h) != nil || h.PID == 0 {
		return "a process that left no information in " + path
	}
	return fmt.Sprintf("`familiar %s`, process %d, since %s", h.Verb, h.PID, h.Since.Local().Format("2 Jan 15:04"))
}

// Release releases the lock.
func (l *HomeLock) Release() error { return l.file.Unlock() }
