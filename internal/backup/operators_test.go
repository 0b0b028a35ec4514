package backup

import (
	"compress/gzip"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"familiar/memory"
)

// TestABackupOfANewerFamiliarIsRefused makes a backup as a later version would, with tables that this one does not know.
func TestABackupOfANewerFamiliarIsRefused(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 5)
	path := filepath.Join(t.TempDir(), "familiar.db")
	data, err := os.ReadFile(s.Home.Database())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, string(data))
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `PRAGMA user_version = 999`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	member := file(databaseName, string(data))
	archive := filepath.Join(t.TempDir(), "familiar-20260105T090000.000Z-v999-asked.tar.zst")
	writeFile(t, archive, string(archiveOf(t, manifestOf(member), member)))
	b, err := s.Find(archive)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), b, RestoreOptions{}); !errors.Is(err, memory.ErrNewer) {
		t.Errorf("got %v", err)
	}
	if got := stored(t, s); len(got) != 5 {
		t.Errorf("the home holds %q", got)
	}
}

// TestABackupOfAnOlderFamiliarIsUpgraded backs up a database as the first release left it, and restores it.
func TestABackupOfAnOlderFamiliarIsUpgraded(t *testing.T) {
	s, _ := newSet(t)
	packed, err := os.Open(filepath.Join("..", "..", "cmd", "familiar", "testdata", "released", "v1", "familiar.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, s.Home.Database(), string(data))
	b, m := create(t, s)
	if b.Schema != 1 || m.Schema != 1 || m.Rows["messages"] == 0 {
		t.Fatalf("backed up as %+v", m)
	}
	if err := os.Remove(s.Home.Database()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), b, RestoreOptions{}); err != nil {
		t.Fatal(err)
	}
	held, err := memory.Inspect(t.Context(), s.Home.Database())
	if err != nil || held.Schema <= 1 || held.Rows["messages"] != m.Rows["messages"] {
		t.Errorf("restored %+v, %v", held, err)
	}
}

// TestTwoOperatorsAtOnce lets several create, restore, rewrite and prune at the same time: each waits for the others, and
// what is left is whole. A backup that was pruned meanwhile cannot be restored, and that is said.
func TestTwoOperatorsAtOnce(t *testing.T) {
	s, _ := newSet(t)
	s.Now = time.Now
	fillHome(t, s, 20)
	first, _ := create(t, s)
	work := []func() error{
		func() error { _, _, err := s.Create(t.Context(), Asked); return err },
		func() error { _, err := s.Restore(t.Context(), first, RestoreOptions{}); return err },
		func() error { _, err := s.Rewrite(t.Context()); return err },
		func() error { _, err := s.Prune(t.Context(), Retention{Daily: 100, Weekly: 100}); return err },
	}
	var wait sync.WaitGroup
	errs := make([]error, 12)
	for i := range errs {
		wait.Go(func() { errs[i] = work[i%len(work)]() })
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil && (i%len(work) != 1 || !errors.Is(err, fs.ErrNotExist)) {
			t.Error(err)
		}
	}
	all, err := s.List()
	if err != nil || len(all) == 0 {
		t.Errorf("%d backups, %v", len(all), err)
	}
	for _, b := range all {
		if _, err := s.Verify(b); err != nil {
			t.Error(err)
		}
	}
	if got := stored(t, s); len(got) != 20 {
		t.Errorf("the home holds %d messages", len(got))
	}
	left, err := filepath.Glob(filepath.Join(s.Home.Backups(), workPrefix+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}
