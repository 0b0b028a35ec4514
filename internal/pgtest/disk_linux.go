package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Disk is a small file system that holds the data of a server.
type Disk struct {
	t   testing.TB
	dir string
}

// StartOnDisk is Start with the server's data on a disk of its own of so many MB; an empty server takes some 60. It skips the test
// without the right to mount one.
func StartOnDisk(t testing.TB, mb int) (*Server, *Disk) {
	t.Helper()
	needInstalled(t)
	dir, err := os.MkdirTemp("", "familiar-disk-") // others cannot enter the parent of t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mount("familiar", dir, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=0700", mb)); err != nil {
		t.Skip("needs the right to mount a small disk:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return start(t, func(c *cluster) error { return c.moveData(dir) }), &Disk{t, dir}
}

// moveData moves the data of a server that does not run to another directory.
func (c *cluster) moveData(dir string) error {
	if err := own(dir); err != nil {
		return fmt.Errorf("give %s to PostgreSQL: %w", dir, err)
	}
	from, to := filepath.Join(c.dir, "data"), filepath.Join(dir, "data")
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("move PostgreSQL's data to %s: %w: %s", to, err, out)
	}
	return errors.Join(os.RemoveAll(from), os.Symlink(to, from))
}

// Fill fills the rest of the disk and returns a function that frees it.
func (d *Disk) Fill() (free func()) {
	d.t.Helper()
	path := filepath.Join(d.dir, "ballast")
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	for block := make([]byte, 8192); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Errorf("fill the disk: %v", err)
	}
	_ = f.Close() // what it holds does not matter
	return func() {
		if err := os.Remove(path); err != nil {
			d.t.Error(err)
		}
	}
}
