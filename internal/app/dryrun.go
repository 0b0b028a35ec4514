package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"familiar/config"
)

// LockDryRun makes and locks the directory for a copy of the memory, and clears it of what a killed process left there.
func LockDryRun(dir string, now time.Time) (*HomeLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a place for a copy of the memory: %w", err)
	}
	path := filepath.Join(dir, "lock")
	lock, err := LockHome(path, "job run --dry-run", now)
	if err != nil {
		return nil, fmt.Errorf("try a job out: %w", err)
	}
	left, err := os.ReadDir(dir)
	for _, file := range left {
		if at := filepath.Join(dir, file.Name()); at != path {
			err = errors.Join(err, os.Remove(at))
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("clear what another dry run left: %w", err), lock.Release())
	}
	return lock, nil
}

// clearDryRun removes the copy that a dry run left behind when it was killed: what is forgotten must not live on there.
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
