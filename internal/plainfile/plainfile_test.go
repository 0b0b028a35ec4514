//go:build unix

package plainfile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Requirement S18: reading the configuration and secrets never hangs.

func TestS18OnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(at("file"), []byte("12345"), 0o600), os.Mkdir(at("dir"), 0o700), syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink(at("nowhere"), at("dangling")), os.Symlink(at("pipe"), at("to-pipe")), os.Symlink(at("file"), at("to-file")),
		os.Symlink(at("loop"), at("loop")),
	); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close() //nolint:errcheck // a test's
	for _, c := range []struct {
		name string
		is   error
		says string
	}{
		{"file", nil, ""},
		{"to-file", nil, ""},
		{"dir", ErrNotRegular, "is a directory"},
		{"pipe", ErrNotRegular, "is a named pipe"},
		{"to-pipe", ErrNotRegular, "is a named pipe"},
		{"socket", ErrNotRegular, "is a socket"},
		{"dangling", fs.ErrNotExist, "leads nowhere"},
		{"loop", syscall.ELOOP, "too many"},
		{"missing", fs.ErrNotExist, "no such file"},
	} {
		data, err := Read(at(c.name), 5)
		if !errors.Is(err, c.is) || err != nil && !strings.Contains(err.Error(), c.says) || err == nil && string(data) != "12345" {
			t.Errorf("%s: %q, %v", c.name, data, err)
		}
	}
	if _, err := Read("/dev/zero", 5); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), "a device") {
		t.Errorf("a device: %v", err)
	}
	if _, err := Read(at("file"), 4); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file above the limit: %v", err)
	}
}
