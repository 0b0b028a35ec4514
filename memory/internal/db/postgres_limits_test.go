package db

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// hold has another connection lock the table moods for longer than limit, and returns once it does.
func hold(t *testing.T, url, mode string, limit time.Duration) {
	t.Helper()
	e, err := newPostgres(url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.connect(t.Context(), upgrading, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.server.Run(t.Context(), "BEGIN; LOCK TABLE moods IN "+mode+" MODE"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		time.Sleep(2 * limit)
		if err := errors.Join(c.server.Run(t.Context(), "COMMIT"), c.close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(wg.Wait)
}

// TestAStatementThatTakesTooLongIsEnded: only what is known to take long may.
func TestAStatementThatTakesTooLongIsEnded(t *testing.T) {
	t.Parallel()
	const limit = 800 * time.Millisecond
	url := pgtest.URL(t)
	s := openServer(t, url, Options{StatementTimeout: limit, Connections: 2})
	sleep := func(tx *Tx) error {
		_, err := tx.Exec(`SELECT pg_sleep(20)`)
		return err
	}
	for name, run := range map[string]func() error{
		"a read":  func() error { return s.Read(t.Context(), "read", sleep) },
		"one":     func() error { return s.ReadOne(t.Context(), "read", sleep) },
		"a write": func() error { return s.Write(t.Context(), "write", sleep) },
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), "raise statement_timeout") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Write(t.Context(), "write", insertEvent("a")); err != nil {
		t.Errorf("after a write that was cut off: %v", err)
	}
	for _, long := range []struct {
		name, lock string
		run        func() error
	}{
		{"a check", "ACCESS EXCLUSIVE", func() error { return s.Check(t.Context()) }},
		{"a backup", "ACCESS EXCLUSIVE", func() error { return s.Backup(t.Context(), filepath.Join(t.TempDir(), "backup.db")) }},
		{"a rewrite", "ROW EXCLUSIVE", func() error {
			return errors.Join(s.Write(t.Context(), "erase", (*Tx).MarkErased), s.SecureDelete(t.Context()))
		}},
	} {
		hold(t, url, long.lock, limit)
		if err := long.run(); err != nil {
			t.Errorf("%s: %v", long.name, err)
		}
	}
	for range 3 {
		if err := s.ReadOne(t.Context(), "read", sleep); err == nil {
			t.Error("a check has left the connection without a limit")
		}
	}
	if err := s.Write(t.Context(), "write", sleep); err == nil {
		t.Error("a rewrite has left the connection without a limit")
	}
}

// TestUpgradesHaveNoLimit is about the connection on which tables are made.
func TestUpgradesHaveNoLimit(t *testing.T) {
	t.Parallel()
	e, err := newPostgres(pgtest.URL(t), Options{StatementTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.connect(t.Context(), upgrading, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close() //nolint:errcheck // nothing was written
	var limit string
	if err := c.QueryRow(`SELECT current_setting('statement_timeout')`).Scan(&limit); err != nil || limit != "0" {
		t.Errorf("%q, %v", limit, err)
	}
}

// TestReadersHaveTheirNumberOfConnections reads as often at once as there may be readers.
func TestReadersHaveTheirNumberOfConnections(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{Connections: 3})
	var wg, all sync.WaitGroup
	all.Add(3)
	for range 3 {
		wg.Go(func() {
			if err := s.Read(t.Context(), "read", func(*Tx) error { all.Done(); all.Wait(); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s.pool.size() != 3 || cap(s.snapshots) != 1 {
		t.Errorf("%d readers, %d snapshots", s.pool.size(), cap(s.snapshots))
	}
}

// TestOthersWaitForARewrite: while a table is locked, as VACUUM does it for large ones, reads of it wait, and writers do so before they
// begin.
func TestOthersWaitForARewrite(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := openServer(t, url, Options{}), openServer(t, url, Options{})
	hold(t, url, "ACCESS EXCLUSIVE", lockWait*3/4)
	if err := s.Read(t.Context(), "read", func(tx *Tx) error {
		_, err := One(tx.QueryRow(`SELECT count(*) FROM moods`), ScanID)
		return err
	}); err != nil {
		t.Errorf("a read: %v", err)
	}
	hold(t, url, "ROW EXCLUSIVE", lockWait/3)
	var wg sync.WaitGroup
	wg.Go(func() { // it rewrites the tables, and waits for the one that is locked
		if err := s.Write(t.Context(), "erase", (*Tx).MarkErased); err != nil {
			t.Error(err)
		}
	})
	for waits := false; !waits; {
		if err := other.ReadOne(t.Context(), "look for it", func(tx *Tx) error {
			return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'moods'::regclass AND NOT granted)`).Scan(&waits)
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Write(t.Context(), "write", insertEvent("a")); err != nil || other.Stats().WriteWait < lockWait/10 {
		t.Errorf("a write: %v, after %v", err, other.Stats().WriteWait)
	}
	wg.Wait()
	if err := s.SecureDelete(t.Context()); err != nil {
		t.Errorf("a rewrite: %v", err)
	}
}
