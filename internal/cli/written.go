package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// FileResult is the path of a file as a result.
type FileResult struct {
	File string `json:"file"`
}

// ReportWritten prints which file was written.
func ReportWritten(inv *Invocation, file string) error {
	return RenderDone(inv, FileResult{file}, "wrote %s", file)
}

// WriteNewFile writes an export to a new file of mode 0600. The file gets its name only when it is complete.
func WriteNewFile(path string, write func(w io.Writer) error) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("export to %s: the file already exists: name another", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part*") // created with mode 0600
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, err)
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
