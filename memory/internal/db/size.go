package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// CheckWritable writes and syncs the header of the file, unchanged: it fails if nothing can be stored, for example on a
// full disk.
func (s *DB) CheckWritable(ctx context.Context) error {
	return s.Write(ctx, "check that the memory can be written", func(tx *Tx) error {
		version, err := tx.version()
		if err == nil {
			_, err = tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
		}
		return err
	})
}

// Size returns the sizes of the file and of its write-ahead log in bytes.
func (s *DB) Size() (file, log int64, err error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0, 0, fmt.Errorf("inspect the memory's file: %w", err)
	}
	file = info.Size()
	switch info, err = os.Stat(s.path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return file, 0, nil
	case err != nil:
		return file, 0, fmt.Errorf("inspect the memory's write-ahead log: %w", err)
	}
	return file, info.Size(), nil
}
