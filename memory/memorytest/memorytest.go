// Package memorytest opens real stores for tests: a file in a temporary directory, with a clock that the test moves.
package memorytest

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"familiar/memory"
	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/internal/postgres"
)

// Start is the initial time of a clock, a Monday morning.
var Start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// Clock stands still until it is moved. Its zero value shows Start. It is safe for concurrent use.
type Clock struct {
	mu     sync.Mutex
	passed time.Duration
}

// Now returns the clock's time, UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Start.Add(c.passed)
}

// Advance moves the clock by d, which may be negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed += d
}

// Set moves the clock to t.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed = t.Sub(Start)
}

// Open opens a new store with a clock at Start. When the test ends, it checks the integrity of the file.
func Open(t testing.TB) *memory.Store {
	t.Helper()
	return OpenAt(t, new(Clock))
}

// OpenAt is Open with the test's own clock.
func OpenAt(t testing.TB, clock *Clock) *memory.Store {
	t.Helper()
	return OpenFile(t, filepath.Join(t.TempDir(), "familiar.db"), clock)
}

// OpenFile is OpenAt with a path, for tests that open a file more than once. Attachments are kept next to it, in the
// directory "attachments". Syncing to disk is off, since no test here simulates power loss.
func OpenFile(t testing.TB, path string, clock *Clock) *memory.Store {
	t.Helper()
	return open(t, Address(t, path), path, clock)
}

// OpenCopy opens a copy of the store in a SQLite file, which the test binary makes once.
func OpenCopy(t testing.TB, file string, clock *Clock) *memory.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "familiar.db")
	return open(t, dbtest.CopyOf(t, file, path), path, clock)
}

// open opens the store at an address, with attachments beside path, or in a directory of its own if that is a URL.
func open(t testing.TB, address, path string, clock *Clock) *memory.Store {
	t.Helper()
	beside := filepath.Dir(path)
	if db.IsServer(path) {
		beside = t.TempDir()
	}
	s, err := memory.Open(t.Context(), address, memory.Options{
		Now: clock.Now, AttachmentsDir: filepath.Join(beside, "attachments"), NoSync: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checkAndClose(t, s) })
	return s
}

// Address returns the address of the store that a path stands for, with all tables: the path or URL itself, or the URL of a
// PostgreSQL database if the tests run on one (see dbtest.Address).
func Address(t testing.TB, path string) string {
	t.Helper()
	address := dbtest.Address(t, path)
	if address == path && !db.IsServer(path) {
		if err := writeEmptyStore(path); err != nil {
			t.Fatal(err)
		}
	}
	return address
}

// SQL opens the database at an address, as Store.Path returns it, a second time, past the store.
func SQL(t testing.TB, address string) *sql.DB {
	t.Helper()
	return dbtest.SQL(t, address)
}

// OnDisk reports whether the database of a store contains any of the texts: a file of it, also in what is left of erased rows, or
// on PostgreSQL a row.
func OnDisk(t testing.TB, s *memory.Store, texts ...string) bool {
	t.Helper()
	var what [][]byte
	for _, text := range texts {
		what = append(what, []byte(text))
	}
	if dbtest.OnPostgres() {
		return dbtest.Holds(t, SQL(t, s.Path()), what...)
	}
	return dbtest.InFiles(t, s.Path(), what...)
}

// Script runs statements without arguments past the store.
func Script(t testing.TB, d *sql.DB, script string) {
	t.Helper()
	dbtest.Script(t, d, script)
}

// OnPostgres reports whether the tests run on PostgreSQL.
func OnPostgres() bool { return dbtest.OnPostgres() }

// Unique reports whether an error is that of a row whose key another row has.
func Unique(err error) bool {
	var e sqlite3.Error
	return postgres.Unique(err) || errors.As(err, &e) && e.ExtendedCode == sqlite3.ErrConstraintUnique
}

// OnSQLite skips a test that is about SQLite's file if the tests run on PostgreSQL.
func OnSQLite(t testing.TB) {
	t.Helper()
	dbtest.OnSQLite(t)
}

// BeginRun begins a run of a job, as the scheduler does, and returns its ID.
func BeginRun(t testing.TB, s *memory.Store, persona, job string) int64 {
	t.Helper()
	run, err := s.Jobs.BeginRun(t.Context(), persona, job, Start)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// emptyStore is the file of a new store. It is made once, since creating the tables takes longer than most tests.
var emptyStore = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "memorytest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "familiar.db")
	s, err := memory.Open(context.Background(), path, memory.Options{Now: new(Clock).Now, NoSync: true})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// writeEmptyStore writes the file of a new store to path, unless it exists.
func writeEmptyStore(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := emptyStore()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o600)
}

// checkAndClose checks and closes a store. The test's own context has ended by now. A test may have closed the store
// itself.
func checkAndClose(t testing.TB, s *memory.Store) {
	t.Helper()
	// A server keeps indexes and references itself, and reading all its tables takes longer than most tests.
	if !dbtest.OnPostgres() {
		if err := s.Check(context.Background()); err != nil && !errors.Is(err, memory.ErrClosed) {
			t.Errorf("after the test: %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
