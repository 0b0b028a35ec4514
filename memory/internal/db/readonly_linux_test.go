package db

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlyDirectory drops root's capabilities, if the test has them, for one thread: no file mode stops root.
func TestReadOnlyDirectory(t *testing.T) {
	parent, err := os.MkdirTemp("", "familiar") // only root can enter the parent of t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(parent) })
	const nobody = 65534
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if os.Geteuid() == 0 {
		if err := os.Chown(parent, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
		if err := syscall.Setfsuid(nobody); err != nil {
			t.Skip("cannot give up root's rights:", err)
		}
	}
	if err := os.Chmod(parent, 0o500); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(parent, "familiar.db")
	s, err := Open(t.Context(), path, Options{Now: atMonday})
	if err == nil {
		t.Fatal("a file was made in a read-only directory", s.Close())
	}
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "familiar's user") {
		t.Errorf("got %v, want to be told whose rights are missing", err)
	}
}
