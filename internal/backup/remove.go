package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"familiar/internal/sleep"
)

const (
	// removeStep is how many bytes of a large file are given back to the disk at once: a file system frees a gigabyte in one
	// transaction otherwise, and every sync waits for it.
	removeStep = 16 << 20
	// removePause is the rest between two steps.
	removePause = 5 * time.Millisecond
)

// removeGently removes a directory with all that is in it, large files step by step.
func removeGently(dir string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		for left := info.Size() - removeStep; left > 0; left -= removeStep {
			if err := os.Truncate(path, left); err != nil {
				return err
			}
			sleep.For(context.Background(), removePause)
		}
		return nil
	})
	return errors.Join(err, os.RemoveAll(dir))
}
