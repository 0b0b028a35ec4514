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

// checkMaxSize is the size in bytes up to which every open checks the whole file. Reading 64 MiB takes about a tenth of
// a second.
const checkMaxSize = 64 << 20

// sqliteMagic is the start of every SQLite file: https://www.sqlite.org/fileformat.html#magic_header_string
var sqliteMagic = []byte("SQLite format 3\x00")

// fileState is the state of the file before SQLite opens it.
type fileState struct {
	size int64
	// unclean reports that a write-ahead log was left and no process is using it: the last process that used the file
	// was killed.
	unclean bool
}

// needsCheck reports whether to read the whole file. A small file is always checked. A large file, where the check
// takes seconds, is checked only if it was not closed cleanly: by the process that starts serving next, or by the first
// command of the operator, but not by a command that runs while another process serves. Damage in a large, cleanly
// closed file is still found page by page as it is read, and by Check.
func (f fileState) needsCheck() bool { return f.size > 0 && (f.size < checkMaxSize || f.unclean) }

// prepareFile makes sure that only the owner can read path, and returns its state. SQLite gives the write-ahead log and
// the shared memory file the same mode.
func prepareFile(ctx context.Context, path string) (fileState, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fileState{}, fmt.Errorf("create the directory %s: %w", dir, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fileState{}, fmt.Errorf("the file must be readable and writable by familiar's user: %w", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	if err != nil {
		return fileState{}, fmt.Errorf("inspect the file: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := f.Chmod(0o600); err != nil {
			return fileState{}, fmt.Errorf("restrict the file to its owner: %w", err)
		}
	}
	if err := checkMagic(f, info.Size()); err != nil {
		return fileState{}, err
	}
	wal, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileState{}, fmt.Errorf("inspect the write-ahead log: %w", err)
	}
	state := fileState{size: info.Size(), unclean: err == nil && wal.Size() > 0}
	if state.unclean && state.size >= checkMaxSize { // smaller files are checked in any case
		if state.unclean, err = usedAlone(ctx, path); err != nil {
			return fileState{}, fmt.Errorf("check whether another process uses the file: %w", err)
		}
	}
	return state, nil
}

// checkMagic rejects a file that is not SQLite's before SQLite touches it. An empty file counts as new.
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
