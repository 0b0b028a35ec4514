package whatsapp

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Requirement S18: the keys are never beside the database. A session that an earlier version left there moves once, whole.

// formerRig is a rig with a linked account whose session is where an earlier version kept it.
func formerRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.opts.Former = r.opts.Database
	r.opts.Database = filepath.Join(filepath.Dir(r.opts.Former), "whatsapp", "session.db")
	return r
}

func (r *rig) linkedNow() bool {
	r.t.Helper()
	s, err := CheckLink(context.Background(), r.opts)
	if err != nil {
		r.t.Fatal(err)
	}
	return s.Linked
}

func TestS18TheSessionMovesToItsOwnDirectoryOnce(t *testing.T) {
	r := formerRig(t)
	if !r.linkedNow() || exists(r.opts.Database) {
		t.Error("the check does not find the session where it is, or moves it")
	}
	for range 2 {
		s, err := openSession(t.Context(), r.opts)
		if err != nil {
			t.Fatal(err)
		}
		device, err := s.container.GetFirstDevice(t.Context())
		if err != nil || device.ID == nil || device.PushName != "Familiar" {
			t.Errorf("the device is %v, %v", device, err)
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := filepath.Glob(r.opts.Former + "*"); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	for path, want := range map[string]os.FileMode{r.opts.Database: 0o600, filepath.Dir(r.opts.Database): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if !r.linkedNow() {
		t.Error("no device is linked any more")
	}
}

// TestS18AMoveKeepsWhatWasNotInTheFileYet moves a session whose last process was killed: its last changes are in the write-ahead log.
func TestS18AMoveKeepsWhatWasNotInTheFileYet(t *testing.T) {
	r := formerRig(t)
	db, err := sql.Open("sqlite3", "file:"+r.opts.Former+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE late (x); INSERT INTO late VALUES (7)`); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "whatsapp.db") // what a killed process leaves
	for _, part := range []string{"", "-wal"} {
		data, err := os.ReadFile(r.opts.Former + part)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(killed+part, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r.opts.Former, r.opts.Database = killed, filepath.Join(filepath.Dir(killed), "whatsapp", "session.db")
	s, err := openSession(t.Context(), r.opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close() //nolint:errcheck // a test's
	moved, err := sql.Open("sqlite3", "file:"+r.opts.Database+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer moved.Close() //nolint:errcheck // a test's
	var x int
	if err := moved.QueryRow(`SELECT x FROM late`).Scan(&x); err != nil || x != 7 {
		t.Errorf("the last change is lost: %d, %v", x, err)
	}
}

// TestS18ASessionInUseStays refuses to move what another process of an earlier version has open.
func TestS18ASessionInUseStays(t *testing.T) {
	r := formerRig(t)
	old := r.opts
	old.Database, old.Former = r.opts.Former, ""
	s, err := openSession(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openSession(t.Context(), r.opts); err == nil || !strings.Contains(err.Error(), "stop that process first") || exists(r.opts.Database) {
		t.Errorf("moved a session in use: %v", err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	again, err := openSession(t.Context(), r.opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.close(); err != nil {
		t.Fatal(err)
	}
}
