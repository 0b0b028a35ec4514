// Package dbtest opens real databases for the tests of packages that are built on db.
package dbtest

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// Monday is the time of the tests' clock.
var Monday = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// atMonday is a fixed clock.
func atMonday() time.Time { return Monday }

// Open opens a new database with its clock at Monday. After the test it checks the whole file.
func Open(t testing.TB) *db.DB {
	t.Helper()
	return OpenAt(t, filepath.Join(t.TempDir(), "familiar.db"), db.Options{Now: atMonday})
}

// OpenAt is Open with a path, which Address turns into that of a database, and other options. It turns off syncing to disk.
func OpenAt(t testing.TB, path string, o db.Options) *db.DB {
	t.Helper()
	o.NoSync = true
	d, err := db.Open(t.Context(), Address(t, path), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// A server keeps indexes and references itself, and reading all its tables takes longer than most tests.
		if !OnPostgres() {
			if err := d.Check(context.Background()); err != nil && !errors.Is(err, db.ErrClosed) {
				t.Errorf("after the test: %v", err)
			}
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Message returns a valid message with the given event ID.
func Message(room, event, text string) channels.Message {
	return channels.Message{
		ID: event, Room: channels.Room{Channel: "console", ID: room}, Text: text, At: Monday, Direct: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ada"}, Name: "Ada"},
	}
}

// numbered matches a parameter that is given by its number.
var numbered = regexp.MustCompile(`\?(\d+)`)

// Plan returns SQLite's query plan, one line per step. A query that cannot be planned fails the test. Begin a test that asks for
// plans with OnSQLite.
func Plan(t testing.TB, tx *db.Tx, query string) (steps []string) {
	t.Helper()
	parameters := strings.Count(numbered.ReplaceAllString(query, ""), "?")
	for _, m := range numbered.FindAllStringSubmatch(query, -1) {
		n, _ := strconv.Atoi(m[1]) // it is digits
		parameters = max(parameters, n)
	}
	rows, err := tx.Query("EXPLAIN QUERY PLAN "+query, make([]any, parameters)...)
	if err != nil {
		t.Errorf("plan %s: %v", query, err) // Fatal would leave the connection taken, and closing the store would wait for it
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}
