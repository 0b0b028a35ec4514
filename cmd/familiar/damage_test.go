package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // another program that uses the same file
)

// TestDamage rejects a file that is not a valid database, says how to recover, and leaves it unchanged.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, db string)
		want   []string
	}{
		{"no database", func(t *testing.T, db string) {
			write(t, db, []byte("My notes about lighthouses, which are not a database.\n"))
		}, []string{"it is not a SQLite file", "`familiar backup restore`", "`familiar recover`", "to start afresh"}},
		{"cut short", func(t *testing.T, db string) {
			write(t, db, []byte(read(t, db))[:20_000])
		}, []string{"damaged or not a familiar database", "to start afresh"}},
		{"a page overwritten", func(t *testing.T, db string) {
			data := []byte(read(t, db))
			copy(data[3*4096:], bytes.Repeat([]byte("scribble"), 5*4096/8))
			write(t, db, data)
		}, []string{"damaged or not a familiar database", "to start afresh"}},
		{"another program's", func(t *testing.T, db string) {
			if err := os.Remove(db); err != nil {
				t.Fatal(err)
			}
			execute(t, db, "CREATE TABLE recipes (title TEXT)")
		}, []string{"belongs to another program"}},
		{"newer", func(t *testing.T, db string) {
			execute(t, db, "PRAGMA user_version = 99")
		}, []string{"written by a newer familiar (schema 99", "upgrade familiar or point --home elsewhere"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
			db := filepath.Join(home, "familiar.db")
			c.damage(t, db)
			before := read(t, db)
			want := append(c.want, "familiar: open the memory at "+db)
			for _, verb := range []string{"chat", "run", "memory list", "person list"} {
				r := familiar(t, home, nil, "hi\n", strings.Fields(verb)...)
				r.fails(t, 1, want...)
				if r.out != "" {
					t.Errorf("%s said %q", verb, r.out)
				}
			}
			if read(t, db) != before {
				t.Error("the file was changed")
			}
		})
	}
}

// TestR6BusyDatabase locks the file from another program for a while: a chat and an operator's verb wait and succeed.
func TestR6BusyDatabase(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	talk := start(t, home, nil, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom.")

	db, err := sql.Open("sqlite3", "file:"+filepath.Join(home, "familiar.db")+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	talk.say("My dog is called Rex.")
	adding := start(t, home, nil, "memory", "add", "The key is under the flowerpot.")
	select { // a writer that gives up too early does so well before this
	case line := <-adding.lines:
		t.Errorf("memory add did not wait: %q %s", line, adding.errs)
	case line := <-talk.lines:
		t.Errorf("the talk did not wait: %q", line)
	case <-time.After(3 * time.Second):
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	talk.hear("")
	adding.leave()
	talk.leave()
	if said := talk.errs.String(); strings.Count(said, "\n") != 1 {
		t.Errorf("it complained:\n%s", said)
	}
	checkRecord(t, home, []string{"My cat is called Tom.", "My dog is called Rex."})
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// execute changes a database file as another program would.
func execute(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
