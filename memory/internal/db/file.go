package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// checkMaxSize is the size up to which the whole file is checked at every open: reading 64 MiB takes about a tenth of a
// second.
const checkMaxSize = 64 << 20

// sqliteMagic starts every SQLite file: https://www.sqlite.org/fileformat.html#magic_header_string
var sqliteMagic = []byte("SQLite format 3\x00")

// fileState is what was seen of the file before SQLite opened it.
type fileState struct {
	size int64
	// unclean says that a write-ahead log was left and nobody is using it: the last process to use the file was stopped
	// hard.
	unclean bool
}

// needsCheck says whether the file is worth reading from end to end. A small file always is; a large one, where that
// takes seconds, only when it was not closed in order: by the process that starts to serve then, or by the operator's
// verb that comes first, and not by a verb beside a process that serves. Damage in a large file that was closed well is still found
// page by page, as it is read, and by Check.
func (f fileState) needsCheck() bool { return f.size > 0 && (f.size < checkMaxSize || f.unclean) }

// prepareFile makes sure that path is a file only its owner can read and looks at it. SQLite gives the write-ahead log
// and the shared memory beside it the same mode.
func prepareFile(ctx context.Context, path string) (fileState, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fileState{}, fmt.Errorf("make the directory %s: %w", dir, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fileState{}, fmt.Errorf("the file must be readable and writable by familiar's user: %w", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written to it
	info, err := f.Stat()
	if err != nil {
		return fileState{}, fmt.Errorf("look at the file: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := f.Chmod(0o600); err != nil {
			return fileState{}, fmt.Errorf("close the file to other users: %w", err)
		}
	}
	if err := checkMagic(f, info.Size()); err != nil {
		return fileState{}, err
	}
	wal, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileState{}, fmt.Errorf("look at the write-ahead log: %w", err)
	}
	state := fileState{size: info.Size(), unclean: err == nil && wal.Size() > 0}
	if state.unclean && state.size >= checkMaxSize { // otherwise it makes no difference
		if state.unclean, err = usedAlone(ctx, path); err != nil {
			return fileState{}, fmt.Errorf("see whether another process uses the file: %w", err)
		}
	}
	return state, nil
}

// checkMagic refuses what is no SQLite file before SQLite touches it. An empty file is a new one.
func checkMagic(r io.Reader, size int64) error {
	if size == 0 {
		return nil
	}
	head := make([]byte, len(sqliteMagic))
	if _, err := io.ReadFull(r, head); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("read the file: %w", err)
	}
	if !bytes.Equal(head, sqliteMagic) {
		return fmt.Errorf("%w: it is not a SQLite file", ErrCorrupt)
	}
	return nil
}

// syncDir makes a new name in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
