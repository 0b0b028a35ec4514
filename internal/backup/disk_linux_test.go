package backup

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mountSmallDisk mounts a file system of 4 MB at dir.
func mountSmallDisk(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("familiar", dir, "tmpfs", 0, "size=4m,mode=0700"); err != nil {
		t.Skip("needs the right to mount a small disk:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// fillDisk fills the disk of dir except for some bytes, and returns the file that does.
func fillDisk(t *testing.T, dir string, free int) string {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for block := make([]byte, 4096); err == nil; {
		var n int
		n, err = f.Write(block)
		size += int64(n)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("fill the disk: %v", err)
	}
	if err := errors.Join(f.Truncate(max(0, size-int64(free))), f.Close()); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// TestWhatIsNoFileIsLeftOut puts into a home what must not be read: a socket, a pipe that nobody writes to, and links.
func TestWhatIsNoFileIsLeftOut(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 3)
	personas := s.Home.Personas()
	home, err := os.MkdirTemp("", "f") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	listener, err := net.Listen("unix", filepath.Join(home, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := errors.Join(
		os.Symlink(filepath.Join(home, "s"), filepath.Join(personas, "socket.yaml")),
		syscall.Mkfifo(filepath.Join(personas, "pipe.yaml"), 0o600),
		os.Symlink("nowhere", filepath.Join(personas, "gone.yaml")),
		os.Symlink("/dev/zero", filepath.Join(personas, "endless.yaml")),
		os.Symlink(personas, filepath.Join(personas, "loop")),
	); err != nil {
		t.Fatal(err)
	}
	_, m := create(t, s)
	var names []string
	for _, member := range m.Members {
		names = append(names, member.Name)
	}
	if want := []string{"familiar.db", "familiar.yaml", "personas/rook.yaml", "whatsapp/session.db"}; !slices.Equal(names, want) {
		t.Errorf("backed up %q", names)
	}
}

// TestABackupOntoAFullDisk fills the disk of the backups. The store serves on, and what was backed up before stays.
func TestABackupOntoAFullDisk(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 5)
	if err := os.MkdirAll(s.Home.Backups(), 0o700); err != nil {
		t.Fatal(err)
	}
	mountSmallDisk(t, s.Home.Backups())
	store := openStore(t, s)
	s.Open = store
	before, _ := create(t, s)
	for free := 0; free <= 1<<20; free += 1 << 18 { // the copy, the check or the archive does not fit
		t.Run(fmt.Sprint(free, " bytes free"), func(t *testing.T) {
			ballast := fillDisk(t, s.Home.Backups(), free)
			_, _, err := s.Create(t.Context(), Asked)
			if err == nil || !strings.Contains(err.Error(), "is full, and nothing is left of the attempt: free some space") {
				t.Errorf("got %v", err)
			}
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
		})
	}
	accept(t, store, 5, 8)
	all, err := s.List()
	if err != nil || len(all) != 1 {
		t.Errorf("%d backups, %v", len(all), err)
	}
	if _, err := s.Verify(before); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(s.Home.Backups())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if strings.HasSuffix(e.Name(), partSuffix) || strings.HasPrefix(e.Name(), workPrefix) {
			t.Errorf("left over: %s", e.Name())
		}
	}
	clock.Advance(time.Hour)
	if b, m := create(t, s); m.Rows["inbox"] != 8 {
		t.Errorf("once there was space, %s was made of %d messages", b.Path, m.Rows["inbox"])
	}
}
