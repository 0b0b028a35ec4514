// Package plainfile reads small regular files that somebody else may have put there, and writes files that are whole or missing.
// Reading a named pipe or a device would wait forever, and a link may lead to one.
package plainfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular reports a file that is a directory, a named pipe, a socket or a device.
var ErrNotRegular = errors.New("is not a regular file")

// ErrTooLarge reports a file that is larger than its reader expects.
var ErrTooLarge = errors.New("too large")

// Open opens a regular file for reading. It never waits: what the path leads to is looked at after it was opened, so that
// nobody can exchange it in between. The error wraps ErrNotRegular, or fs.ErrNotExist, also for a link that leads nowhere.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the callers' paths are the operator's
	if err != nil {
		return nil, describe(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s, so it %w: put a file in its place", path, kind(info.Mode()), ErrNotRegular)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read returns the contents of a regular file of at most limit bytes. The error is one of Open, or wraps ErrTooLarge.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	return ReadAll(f, limit)
}

// ReadAll is Read for a file that Open returned.
func ReadAll(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if info.Size() <= limit {
		data.Grow(int(info.Size()) + bytes.MinRead)
		if _, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil { // the size that the file claims may be wrong
			return nil, err
		}
	}
	if info.Size() > limit || int64(data.Len()) > limit {
		return nil, fmt.Errorf("%s is longer than %d bytes: %w", f.Name(), limit, ErrTooLarge)
	}
	return data.Bytes(), nil
}

// describe names what stands at a path that could not be opened.
func describe(path string, err error) error {
	info, statErr := os.Lstat(path)
	switch {
	case statErr != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the link %s leads nowhere: %w", path, err)
	case info.Mode()&fs.ModeSocket != 0:
		return fmt.Errorf("%s is %s, so it %w: put a file in its place", path, kind(info.Mode()), ErrNotRegular)
	}
	return err
}

// kind names what is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
