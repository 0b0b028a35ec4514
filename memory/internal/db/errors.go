package db

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// isBusy reports whether another process holds the lock.
func isBusy(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.ErrBusy || code == sqlite3.ErrLocked
}

// isCorrupt reports whether SQLite found damage.
func isCorrupt(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.ErrCorrupt || code == sqlite3.ErrNotADB
}

// sqliteCode returns SQLite's primary result code, 0 for other errors.
func sqliteCode(err error) sqlite3.ErrNo {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// isDiskFull reports whether the system ran out of space. SQLite reports this as an I/O error when it needs the space
// for its own files next to the database.
func isDiskFull(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && e.SystemErrno == syscall.ENOSPC
}

// explainError adds to an error of the file at path what to do about it. It returns other errors unchanged.
func explainError(path string, err error) error {
	if errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%w; %s", err, recovery(path))
	}
	if isCorrupt(err) {
		return fmt.Errorf("%w: %s: %w; %s", ErrCorrupt, path, err, recovery(path))
	}
	switch code := sqliteCode(err); {
	case code == sqlite3.ErrFull, isDiskFull(err):
		return fmt.Errorf("the disk of %s is full, nothing was written; free some space and writing resumes by itself: %w",
			path, err)
	case code == sqlite3.ErrIoErr:
		return fmt.Errorf("the disk failed under %s, nothing was written; check the disk and its mount: %w", path, err)
	case code == sqlite3.ErrReadonly, code == sqlite3.ErrPerm, code == sqlite3.ErrCantOpen:
		return fmt.Errorf("%s cannot be written; give familiar's user write access to %s and everything in it: %w",
			path, filepath.Dir(path), err)
	case isBusy(err):
		return fmt.Errorf("another process is writing to %s; wait for it or stop it: %w", path, err)
	default:
		return err
	}
}

// recovery says how to recover from a damaged file.
func recovery(path string) string {
	return fmt.Sprintf("the file was left as it is: `familiar backup restore` puts the newest backup in its place, `familiar recover` "+
		"saves what the file still holds, and to start afresh move %s, %s-wal and %s-shm away", path, path, path)
}
