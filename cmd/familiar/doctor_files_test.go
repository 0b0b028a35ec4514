//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Requirement S18: what a home holds is readable by its owner alone; the doctor says what is not, and mends it if asked.

func TestS18DoctorFindsAndMendsLooseFiles(t *testing.T) {
	t.Parallel()
	home := configure(t, "channels:\n  webhook: {url: 'http://127.0.0.1:1/x', secret: 'file:keys/hook'}\n")
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	loose := map[string]os.FileMode{
		"familiar.yaml": 0o644, "history": 0o644, "personas": 0o755, "personas/ada.yaml": 0o664, "familiar.db-wal": 0o644, "familiar.db-shm": 0o640,
		"familiar.db.backup-20260105T090000Z": 0o644, "whatsapp": 0o755, "whatsapp/session.db": 0o644, "attachments": 0o750,
		"attachments/telegram": 0o755, "attachments/telegram/1.jpg": 0o644, "keys/hook": 0o644,
	}
	for _, dir := range []string{"whatsapp", "attachments/telegram", "keys"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(home, "notes.txt") // not familiar's
	write(t, mine, []byte("mine"))
	loose["notes.txt"] = 0o644
	target := filepath.Join(t.TempDir(), "elsewhere")
	write(t, target, []byte("a link's"))
	if err := os.Symlink(target, filepath.Join(home, "attachments", "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(target, 0o644); err != nil { //nolint:gosec // it must stay as it is
		t.Fatal(err)
	}
	for name, mode := range loose {
		path := filepath.Join(home, name)
		if _, err := os.Stat(path); os.IsNotExist(err) {
			write(t, path, nil)
		}
		if name == "keys/hook" {
			write(t, path, []byte(strings.Repeat("s", 40)))
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(home, 0o755); err != nil { //nolint:gosec // that is what the doctor finds
		t.Fatal(err)
	}

	seen := familiar(t, home, nil, "", "doctor")
	for _, want := range []string{"other users can read or change " + home + " (mode 0755)", "more", "doctor --fix"} {
		if !strings.Contains(seen.out, want) {
			t.Errorf("nothing of %q in\n%s", want, seen.out)
		}
	}
	if info, err := os.Stat(filepath.Join(home, "whatsapp/session.db")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the doctor changed a mode unasked: %v, %v", info, err)
	}

	mended := familiar(t, home, nil, "", "doctor", "--fix")
	for name, mode := range loose {
		path := filepath.Join(home, name)
		info, err := os.Stat(path)
		if os.IsNotExist(err) {
			continue // the write-ahead log was closed
		}
		if err != nil {
			t.Fatal(err)
		}
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if name == "notes.txt" {
			want = mode
		} else if !strings.Contains(mended.out, "changed the mode of "+path+" from ") {
			t.Errorf("it does not say what it did with %s:\n%s", name, mended.out)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %04o, want %04o", name, info.Mode().Perm(), want)
		}
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("it followed a link: %v, %v", info, err)
	}
	if again := familiar(t, home, nil, "", "doctor"); strings.Contains(again.out+again.errs, "other users") {
		t.Errorf("something is left:\n%s%s", again.out, again.errs)
	}
}
