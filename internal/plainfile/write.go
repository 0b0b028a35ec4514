package plainfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ownerOnly is the mode of written files.
const ownerOnly os.FileMode = 0o600

// WriteNew writes a new file that only its owner can read. It fails with fs.ErrExist if the file exists, and leaves
// nothing behind if it fails.
func WriteNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, ownerOnly)
	if err != nil {
		return fmt.Errorf("write a new file: %w", err)
	}
	return fill(f, data)
}

// Write replaces a file atomically. Only its owner can read it.
func Write(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // created with ownerOnly
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := fill(f, data); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// fill writes data to f, syncs and closes it. If that fails, it removes f.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", f.Name(), errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
