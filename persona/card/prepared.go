package card

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"familiar/memory/checkpoint"
)

// prepared are files that wait beside those that they replace, "" for one that stays.
type prepared struct {
	card, lorebook string
	// removeLorebook reports that the persona has no lorebook then.
	removeLorebook bool
}

const (
	// preparedMark begins the names of prepared files.
	preparedMark = ".restore-"
	// lockFile is held while files are changed.
	lockFile = ".restoring"
	// lockWait is how often to look whether another process is done.
	lockWait = 50 * time.Millisecond
)

// lock waits until no other process changes files in the directory of the personas, and keeps others out.
func lock(ctx context.Context, dir string) (unlock func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of the personas: %w", err)
	}
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return nil, fmt.Errorf("wait for another change of files in %s: %w", dir, err)
	}
	return lock.Unlock, nil
}

// RemovePrepared removes the files that a restore prepared and left behind when it was killed, unless one is under way.
func (c Checkpoints) RemovePrepared() error {
	if left, err := c.leftBehind(); err != nil || len(left) == 0 {
		return err
	}
	lock := flock.New(filepath.Join(c.Dir, lockFile), flock.SetPermissions(0o600))
	if free, err := lock.TryLock(); err != nil || !free {
		return err
	}
	return errors.Join(c.removeLeftBehind(), lock.Unlock())
}

// prepare writes the files that differ from those of now beside them. The caller holds the lock.
func (c Checkpoints) prepare(want, now checkpoint.Files) (ready prepared, err error) {
	if err := c.removeLeftBehind(); err != nil {
		return ready, err
	}
	if want.Card != "" && want.Card != now.Card {
		if ready.card, err = prepareFile(c.Dir, want.Card); err != nil {
			return prepared{}, fmt.Errorf("prepare the file of the persona %s: %w", c.Key, err)
		}
	}
	if want.Lorebook != "" && want.Lorebook != now.Lorebook {
		if ready.lorebook, err = prepareFile(c.Dir, want.Lorebook); err != nil {
			return prepared{}, fmt.Errorf("prepare the lorebook of the persona %s: %w", c.Key, errors.Join(err, ready.discard()))
		}
	}
	ready.removeLorebook = want.Lorebook == "" && now.Lorebook != ""
	return ready, nil
}

// prepareFile writes a new file in dir, as far as the disk, and returns its path.
func prepareFile(dir, text string) (path string, err error) {
	f, err := os.CreateTemp(dir, preparedMark+"*")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), err
}

// leftBehind returns the paths of all prepared files.
func (c Checkpoints) leftBehind() (paths []string, err error) {
	files, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), preparedMark) {
			paths = append(paths, filepath.Join(c.Dir, f.Name()))
		}
	}
	return paths, err
}

// removeLeftBehind removes all prepared files. The caller holds the lock and has prepared none.
func (c Checkpoints) removeLeftBehind() error {
	left, err := c.leftBehind()
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// discard removes the prepared files that have not taken their places.
func (p prepared) discard() (err error) {
	for _, file := range []string{p.card, p.lorebook} {
		if file == "" {
			continue
		}
		if removed := os.Remove(file); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// place puts prepared files in their places, and keeps the persona's file in its history.
func (c Checkpoints) place(ready prepared) error {
	if ready.card != "" {
		if before, _, err := CardText(c.Dir, c.Key); err == nil {
			if err := Keep(c.Dir, c.Key, before, Found, c.Now()); err != nil {
				return err
			}
		}
		text, err := os.ReadFile(ready.card)
		if err != nil {
			return err
		}
		if err := os.Rename(ready.card, CardFile(c.Dir, c.Key)); err != nil {
			return err
		}
		if err := Keep(c.Dir, c.Key, text, Restored, c.Now()); err != nil {
			return err
		}
	}
	if ready.lorebook == "" && !ready.removeLorebook {
		return nil
	}
	before, err := LoreText(c.Dir, c.Key)
	if err != nil {
		return err
	}
	return placeLore(c.Dir, c.Key, before, Restored, c.Now(), func() error {
		if ready.lorebook != "" {
			return os.Rename(ready.lorebook, LoreFile(c.Dir, c.Key))
		}
		if err := os.Remove(LoreFile(c.Dir, c.Key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
