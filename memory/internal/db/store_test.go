package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestOpenLocksTheStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "home")
	path := filepath.Join(dir, "familiar 100%?#.db") // characters with a meaning in URIs
	s := openTestAt(t, path, Options{Now: atMonday})
	accept(t, s, 1)
	for name, want := range map[string]os.FileMode{
		dir: 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestOpenRestrictsTheFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	openTestAt(t, path, Options{Now: atMonday})
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("mode %o, want 600", got)
	}
}

func TestOpenTwiceKeepsWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := openTestAt(t, path, Options{Now: atMonday})
	accept(t, s, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a store closed in order left a write-ahead log: %v", err)
	}
	if got := events(t, openTestAt(t, path, Options{Now: atMonday})); len(got) != 3 {
		t.Errorf("reopened with %v, want three events", got)
	}
}

func TestOpenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), path, Options{Now: atMonday})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := accept1(t.Context(), s, testMessage("main", "e", "hello")); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := events(t, openTestAt(t, path, Options{Now: atMonday})); len(got) != 1 {
		t.Errorf("the inbox contains %v, want the one event once", got)
	}
}

func TestOpenRejectsForeignFiles(t *testing.T) {
	sqliteFile := func(t *testing.T, path, script string) {
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), script); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		prepare func(t *testing.T, path string)
		want    error
		says    string
	}{
		"text": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(strings.Repeat("dear diary ", 100)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ErrCorrupt, "not a SQLite file"},
		"a few bytes": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("SQL"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ErrCorrupt, "not a SQLite file"},
		"another program's": {func(t *testing.T, path string) {
			sqliteFile(t, path, "CREATE TABLE bookmarks (url TEXT)")
		}, ErrCorrupt, "another program"},
		"another program's, marked": {func(t *testing.T, path string) {
			sqliteFile(t, path, "PRAGMA application_id = 4711")
		}, ErrCorrupt, "another program"},
		"newer": {func(t *testing.T, path string) {
			s := openTestAt(t, path, Options{Now: atMonday})
			if _, err := s.writer.Exec("PRAGMA user_version = 9999"); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}, ErrNewer, fmt.Sprintf("(schema 9999, this one knows %d): upgrade familiar", len(releasedNames(t)))},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "familiar.db")
			tc.prepare(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path, Options{Now: atMonday})
			if err == nil {
				t.Fatal("it was opened", s.Close())
			}
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("got %v\nwant it to name %s and say %q", err, path, tc.says)
			}
			after, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(after) != string(before) {
				t.Error("a refused file was changed")
			}
		})
	}
}

func TestR7CorruptPageIsRefusedAndTheBackupOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := openTestAt(t, path, Options{Now: atMonday})
	accept(t, s, 200)
	backup := path + ".copy"
	if err := errors.Join(s.Backup(t.Context(), backup), s.Close()); err != nil {
		t.Fatal(err)
	}
	spoil(t, path, "e100")
	_, err := Open(t.Context(), path, Options{Now: atMonday})
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "`familiar backup restore`") || !strings.Contains(err.Error(), "`familiar recover`") {
		t.Fatalf("got %v, want ErrCorrupt and both ways out", err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if err := os.Rename(backup, path); err != nil {
		t.Fatal(err)
	}
	if got := events(t, openTestAt(t, path, Options{Now: atMonday})); len(got) != 200 {
		t.Errorf("the backup contains %d events, want 200", len(got))
	}
}

// spoil overwrites the page on which word first occurs.
func spoil(t *testing.T, path, word string) {
	t.Helper()
	const pageSize = 4096
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(data), word)
	if at < pageSize {
		t.Fatalf("%q is nowhere beyond the first page", word)
	}
	page := data[at/pageSize*pageSize:][:pageSize]
	for i := range page {
		page[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCorruptionFoundWhileReadingNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := openTestAt(t, path, Options{Now: atMonday})
	accept(t, s, 200)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, path, `"ID":"e100"`)
	c, err := openConn(t.Context(), path, writing, busySlice) // bypasses the check at open, as for a large file
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	var n int
	err = explainError(path, c.QueryRow("SELECT COUNT(DISTINCT payload) FROM inbox").Scan(&n))
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want ErrCorrupt naming %s", err, path)
	}
}

func TestCheckFindsALostParent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := openTestAt(t, path, Options{Now: atMonday})
	t.Cleanup(func() { s.Close() }) // before the check that would fail
	if _, err := s.writer.Exec("PRAGMA foreign_keys = off"); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), "orphan", func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen)
			VALUES ('console', 'ada', 42, 'Ada', 0, 0)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "handles") {
		t.Errorf("got %v, want the orphan in handles", err)
	}
}

func TestSuspectFiles(t *testing.T) {
	for _, tc := range []struct {
		state fileState
		want  bool
	}{
		{fileState{}, false},
		{fileState{size: 4096}, true},
		{fileState{size: checkMaxSize}, false},
		{fileState{size: checkMaxSize, unclean: true}, true},
	} {
		if got := tc.state.needsCheck(); got != tc.want {
			t.Errorf("%+v: suspect %v, want %v", tc.state, got, tc.want)
		}
	}
}

func TestReadSeesOnePointInTime(t *testing.T) {
	s := openTest(t)
	accept(t, s, 1)
	err := s.Read(t.Context(), "count twice", func(tx *Tx) error {
		var before, after int
		if err := tx.QueryRow("SELECT COUNT(*) FROM inbox").Scan(&before); err != nil {
			return err
		}
		if _, err := accept1(context.Background(), s, testMessage("main", "meanwhile", "hi")); err != nil {
			return err
		}
		if err := tx.QueryRow("SELECT COUNT(*) FROM inbox").Scan(&after); err != nil {
			return err
		}
		if before != after {
			t.Errorf("a read saw %d and then %d rows", before, after)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReadCannotWrite(t *testing.T) {
	s := openTest(t)
	accept(t, s, 1)
	if err := s.Read(t.Context(), "read", func(tx *Tx) error {
		_, err := tx.Exec("DELETE FROM inbox")
		return err
	}); err == nil || len(events(t, s)) != 1 {
		t.Errorf("got %v, want a read that writes to be refused", err)
	}
}
