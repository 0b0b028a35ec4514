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
	lock, err := lockScratch(dir, "job run --dry-run", now)
	if err != nil {
		return nil, fmt.Errorf("start a dry run: %w", err)
	}
	return lock, nil
}

// LockTrials is LockDryRun for the directory of talks with personas that are being edited.
func LockTrials(home config.Home, now time.Time) (*HomeLock, error) {
	lock, err := lockScratch(home.Trials(), "a talk on the dashboard", now)
	if err != nil {
		return nil, fmt.Errorf("try a persona: %w", err)
	}
	return lock, nil
}

// lockScratch creates and locks a directory for files that nobody keeps, and removes what a killed process left there.
func lockScratch(dir, holder string, now time.Time) (*HomeLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create a directory for files that are not kept: %w", err)
	}
	path := filepath.Join(dir, "lock")
	lock, err := LockHome(path, holder, now)
	if err != nil {
		return nil, err
	}
	left, err := os.ReadDir(dir)
	for _, file := range left {
		if at := filepath.Join(dir, file.Name()); at != path {
			err = errors.Join(err, os.Remove(at))
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("remove the files that were left in %s: %w", dir, err), lock.Release())
	}
	return lock, nil
}

// clearScratch removes what a killed process left of a dry run or of talks: it must not preserve what is forgotten here.
func clearScratch(home config.Home, now time.Time) (err error) {
	for _, dir := range []string{home.DryRun(), home.Trials()} {
		if _, missing := os.Stat(dir); missing != nil {
			continue
		}
		lock, locked := lockScratch(dir, "cleaning up", now)
		if errors.Is(locked, ErrInUse) {
			continue
		}
		if locked == nil {
			locked = errors.Join(os.RemoveAll(dir), lock.Release())
		}
		err = errors.Join(err, locked)
	}
	return err
}
