package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"familiar/internal/pgtest"
	"familiar/memory/internal/db"
	"familiar/memory/internal/postgres"
)

// engineVariable chooses the engine of the databases that tests open by path: a file, or "postgres" for a database on a server
// that the test binary starts.
const engineVariable = "FAMILIAR_TEST_DATABASE"

// OnPostgres reports whether the tests run on PostgreSQL.
func OnPostgres() bool { return os.Getenv(engineVariable) == "postgres" }

// OnSQLite skips a test that is about SQLite's file if the tests run on PostgreSQL.
func OnSQLite(t testing.TB) {
	t.Helper()
	if OnPostgres() {
		t.Skip("about the file of SQLite")
	}
}

// servers has the URLs of the databases on PostgreSQL by the path that stands for them, so that a path can be opened again.
var servers struct {
	mu  sync.Mutex
	url map[string]string
}

// Address returns the address of the database that a path stands for: the path, or on PostgreSQL the URL of a database that is
// removed after the test that asks for it first. A URL stands for itself.
func Address(t testing.TB, path string) string {
	t.Helper()
	if !OnPostgres() || db.IsServer(path) {
		return path
	}
	servers.mu.Lock()
	defer servers.mu.Unlock()
	if url, known := servers.url[path]; known {
		return url
	}
	url := pgtest.Template(t, "familiar", fill)
	if servers.url == nil {
		servers.url = map[string]string{}
	}
	servers.url[path] = url
	return url
}

// fill makes the tables in an empty database.
func fill(url string) error {
	d, err := db.Open(context.Background(), url, db.Options{Now: time.Now, NoSync: true})
	if err != nil {
		return err
	}
	return d.Close()
}

// CopyOf returns the address of a copy of a SQLite file: a file at path, or on PostgreSQL a database.
func CopyOf(t testing.TB, file, path string) string {
	t.Helper()
	if OnPostgres() {
		return pgtest.Template(t, "copy of "+file, func(url string) error { return move(file, url) })
	}
	content, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// move copies what a file holds into an empty database.
func move(file, url string) (err error) {
	ctx := context.Background()
	from, err := db.Open(ctx, file, db.Options{Now: time.Now, NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	m, err := db.NewMover(ctx, from, url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if _, err := m.Pass(ctx, func(string, int64) {}); err != nil {
		return err
	}
	return m.Finish()
}

// SQL opens the database at an address a second time, past the store.
func SQL(t testing.TB, address string) *sql.DB {
	t.Helper()
	var d *sql.DB
	if db.IsServer(address) {
		connector, err := postgres.NewConnector(address, postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d = sql.OpenDB(connector)
	} else {
		var err error
		if d, err = sql.Open("sqlite3", "file:"+address+"?_busy_timeout=5000&_foreign_keys=on&_secure_delete=on&_txlock=immediate"); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// Copy returns the address of a copy of the database on PostgreSQL at an address.
func Copy(t testing.TB, address string) string {
	t.Helper()
	return pgtest.Copy(t, address)
}
