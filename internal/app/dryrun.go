package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"familiar/config"
)

// LockDryRun creates and locks the directory for a copy of the database, and removes what a killed process left there.
func LockDryRun(dir string, now time.Time) (*HomeLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory for a copy of the database: %w", err)
	}
	path := filepath.Join(dir, "lock")
	lock, err := LockHome(path, "job run --dry-run", now)
	if err != nil {
		return nil, fmt.Errorf("start a dry run: %w", err)
	}
	left, err := os.ReadDir(dir)
	for _, file := range left {
		if at := filepath.Join(dir, file.Name()); at != path {
			err = errors.Join(err, os.Remove(at))
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("remove the files of an earlier dry run: %w", err), lock.Release())
	}
	return lock, nil
}

// clearDryRun removes the copy that a killed dry run left: it must not preserve what is forgotten here.
func clearDryRun(home config.Home, now time.Time) error {
	if _, err := os.Stat(home.DryRun()); err != nil {
		return nil //nolint:nilerr // there is none
	}
	lock, err := LockDryRun(home.DryRun(), now)
	if errors.Is(err, ErrInUse) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(home.DryRun()), lock.Release())
}
