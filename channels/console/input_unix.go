//go:build unix

package console

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// cancelable returns a reader whose Close ends a blocked Read without closing file: standard input belongs to the
// process, and there is no other way to end a blocked read on a terminal.
func cancelable(file *os.File) (io.ReadCloser, error) {
	woken, wake, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("watch the console's input: %w", err)
	}
	return &cancelableFile{file: file, woken: woken, wake: wake}, nil
}

// cancelableFile is a file and a pipe that is never written: closing one end is noticed at the other.
type cancelableFile struct {
	file, woken, wake *os.File
}

// Read waits for input or Close, then reads the available input.
func (w *cancelableFile) Read(p []byte) (int, error) {
	var ready bool
	err := withDescriptor(w.file, func(fd int32) error {
		return withDescriptor(w.woken, func(woken int32) (err error) {
			ready, err = poll(fd, woken)
			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("wait for input: %w", err)
	}
	if !ready {
		return 0, os.ErrClosed
	}
	return w.file.Read(p)
}

// withDescriptor calls f with the file's descriptor, which stays open during the call even if the file is closed.
func withDescriptor(file *os.File, f func(fd int32) error) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = f(int32(fd)) }) //nolint:gosec // descriptors are small
	return errors.Join(err, failed)
}

// poll waits until fd has input or the other end of woken is closed, and returns which.
func poll(fd, woken int32) (ready bool, err error) {
	fds := []unix.PollFd{{Fd: fd, Events: unix.POLLIN}, {Fd: woken, Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return fds[1].Revents == 0, err
	}
}

// Close ends a blocked Read.
func (w *cancelableFile) Close() error {
	err := w.wake.Close()
	return errors.Join(err, w.woken.Close())
}
