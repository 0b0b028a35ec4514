package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/pgtest"
	"familiar/memory/internal/postgres"
)

// insertTwice fails for an event that is there, and only when it is sent.
func insertTwice(id string) func(tx *Tx) error {
	return func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, status, received_at)
			VALUES ('mira', 'console', 'main', '', ?, '', 'pending', ?)`, id, tx.NowMillis())
		return err
	}
}

func jobs(t *testing.T, fns ...func(tx *Tx) error) (group []*job) {
	t.Helper()
	for i, fn := range fns {
		group = append(group, &job{ctx: t.Context(), what: fmt.Sprint("write ", i), done: make(chan error, 1), fn: fn})
	}
	return group
}

// writeAlone has the writer find out that no other process writes.
func writeAlone(t *testing.T, s *DB) {
	t.Helper()
	for range 3 {
		err := s.Write(t.Context(), "write", func(tx *Tx) error {
			_, err := tx.Insert(`INSERT INTO people (name, created_at) VALUES ('Ann', 1)`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !s.writer.alone {
		t.Fatal("the writer thinks that others write")
	}
}

// TestR1AnErrorOfAQueuedStatementIsItsWritesOwn has a write fail after its function has returned.
func TestR1AnErrorOfAQueuedStatementIsItsWritesOwn(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*testing.T, *DB){"at first": func(*testing.T, *DB) {}, "alone": writeAlone} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testErrorsOfQueuedStatements(t, before)
		})
	}
}

func testErrorsOfQueuedStatements(t *testing.T, before func(*testing.T, *DB)) {
	t.Helper()
	s := openServer(t, pgtest.URL(t), Options{})
	if err := s.Write(t.Context(), "write", insertTwice("there")); err != nil {
		t.Fatal(err)
	}
	reads := func(tx *Tx) error { return tx.QueryRow(`SELECT count(*) FROM inbox`).Scan(new(int)) }
	silent := func(tx *Tx) error { _ = reads(tx); return nil }
	for name, after := range map[string]func(tx *Tx) error{"a read": reads, "a write": insertTwice("after"), "a read whose error is lost": silent} {
		before(t, s)
		group := jobs(t, insertTwice("a "+name), insertTwice("there"), after, insertTwice("c "+name))
		if _, err := s.runUntilWritten(group); err != nil { // the writer goroutine is idle
			t.Fatal(err)
		}
		for i, j := range group {
			queued, ok := errors.AsType[*postgres.QueuedError](j.err)
			if (i == 1) != ok || i != 1 && j.err != nil || ok && !postgres.Unique(queued) {
				t.Errorf("%s: write %d: %v", name, i, j.err)
			}
		}
		if got := events(t, s); !slices.Contains(got, "a "+name) || !slices.Contains(got, "c "+name) {
			t.Errorf("%s: the inbox contains %v", name, got)
		}
	}
	if err := s.Write(t.Context(), "write", insertTwice("there")); !postgres.Unique(err) || !strings.Contains(err.Error(), "INSERT INTO inbox") {
		t.Errorf("alone: %v", err)
	}
	if err := s.Write(t.Context(), "write", insertTwice("later")); err != nil {
		t.Errorf("the next write: %v", err)
	}
}

// TestR1AnUnexpectedNumberOfRowsIsItsWritesOwn has a write fail because it changes another number of rows than it expects, on both
// engines.
func TestR1AnUnexpectedNumberOfRowsIsItsWritesOwn(t *testing.T) {
	t.Parallel()
	other := errors.New("another number of rows")
	expect := func(n int64, id string) func(tx *Tx) error {
		return func(tx *Tx) error {
			return errors.Join(tx.Expect(n, other, `UPDATE inbox SET payload = 'changed' WHERE event_id = ?`, id), insertTwice("with "+id)(tx))
		}
	}
	for engine, open := range map[string]func() *DB{
		"sqlite":   func() *DB { return openTest(t) },
		"postgres": func() *DB { return openServer(t, pgtest.URL(t), Options{}) },
	} {
		s := open()
		group := jobs(t, insertTwice("a"), expect(1, "a"), expect(1, "b"), insertTwice("c"), expect(0, "d"))
		if _, err := s.runUntilWritten(group); err != nil { // the writer goroutine is idle
			t.Fatal(err)
		}
		for i, j := range group {
			if wrong := i == 2; errors.Is(j.err, other) != wrong || !wrong && j.err != nil {
				t.Errorf("%s: write %d: %v", engine, i, j.err)
			}
		}
		if got := events(t, s); !slices.Equal(got, []string{"a", "with a", "c", "with d"}) {
			t.Errorf("%s: the inbox contains %v", engine, got)
		}
	}
}

// TestPrefetchedReads asks for what was prefetched, after something else and after a change, and tries to change something
// meanwhile.
func TestPrefetchedReads(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	count := func(tx *Tx) (n int, err error) { return n, tx.QueryRow(`SELECT count(*) FROM inbox`).Scan(&n) }
	err := s.Write(t.Context(), "write", func(tx *Tx) error {
		reads := 0
		err := tx.Prefetch(
			func() error { reads++; _, err := count(tx); return fmt.Errorf("count: %w", err) },
			func() error { return insertTwice("never")(tx) },
			func() error { _, err := tx.Insert(`INSERT INTO people (name, created_at) VALUES ('', 0)`); return err },
			func() error { _, err := tx.Affect(`DELETE FROM inbox`); return err },
		)
		if n, other := count(tx); err != nil || other != nil || n != 0 || reads != 1 {
			t.Errorf("%d rows, %d reads, %v, %v", n, reads, err, other)
		}
		err = errors.Join(tx.Prefetch(func() error { _, err := count(tx); return err }), insertTwice("a")(tx))
		if n, other := count(tx); err != nil || other != nil || n != 1 {
			t.Errorf("after a change: %d rows, %v, %v", n, err, other)
		}
		broken := func() error { return tx.QueryRow(`SELECT nothing FROM nowhere`).Scan(new(int)) }
		if err := tx.Prefetch(broken); err == nil {
			t.Error("a query that makes no sense is prefetched")
		}
		return nil
	})
	if err == nil {
		t.Error("what a query that makes no sense failed is committed")
	}
	err = s.Snapshot(t.Context(), func(ctx context.Context) error {
		calls := 0
		if err := s.Prefetch(ctx, func(context.Context) error { calls++; return errPrefetching }); err != nil || calls != 1 {
			t.Errorf("in a snapshot: %d calls, %v", calls, err)
		}
		return s.Prefetch(t.Context(), func(context.Context) error { t.Error("it is called outside of a snapshot"); return nil })
	})
	if err != nil {
		t.Error(err)
	}
}

// TestR1AWriteThatDoesNotWaitToBegin has a process that seems to be alone write while another one does, after an upgrade, and over
// a connection that was lost.
func TestR1AWriteThatDoesNotWaitToBegin(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := openServer(t, url, Options{}), openServer(t, url, Options{})
	writeAlone(t, s)
	waits, _ := s.engine.waits()
	if err := s.Write(t.Context(), "write", insertTwice("a")); err != nil {
		t.Fatal(err)
	}
	if after, _ := s.engine.waits(); after-waits != 2 {
		t.Errorf("a write waited %d times, want twice: for what it changes and for the commit", after-waits)
	}

	began, done := make(chan struct{}), make(chan error)
	go func() {
		done <- other.Write(context.Background(), "write for long", func(tx *Tx) error {
			close(began)
			time.Sleep(lockWait + lockWait/4)
			return insertTwice("b")(tx)
		})
	}()
	<-began
	if err := s.Write(t.Context(), "write", insertTwice("c")); err != nil || s.Stats().Repeats != 1 {
		t.Errorf("while another process wrote: %v, %d repeats", err, s.Stats().Repeats)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}

	version := func(change string) {
		t.Helper()
		if err := other.Write(t.Context(), "upgrade", func(tx *Tx) error { _, err := tx.Exec(change, NewestSchema()+1); return err }); err != nil {
			t.Fatal(err)
		}
	}
	writeAlone(t, s)
	version(`INSERT INTO familiar_schema (version) VALUES (?)`)
	if err := s.Write(t.Context(), "write", insertTwice("never")); !errors.Is(err, ErrNewer) {
		t.Errorf("after an upgrade: %v", err)
	}
	raw := s.writer.server // the writer goroutine is idle
	if err := raw.Control(t.Context(), `DELETE FROM familiar_schema WHERE version = (SELECT max(version) FROM familiar_schema)`); err != nil {
		t.Fatal(err)
	}
	writeAlone(t, s)
	if err := other.Write(t.Context(), "hang up", func(tx *Tx) error {
		_, err := tx.Exec(`SELECT pg_terminate_backend(CAST(? AS int4), 5000)`, int64(raw.PID()))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), "write", insertTwice("d")); err != nil {
		t.Errorf("over a lost connection: %v", err)
	}
	if got := events(t, s); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("the inbox contains %v", got)
	}
}

// TestR1QueuedStatementsOfALostConnectionRunOnce loses it while statements of several writes wait.
func TestR1QueuedStatementsOfALostConnectionRunOnce(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	writeAlone(t, s)
	runs := 0
	group := jobs(t, insertTwice("a"), func(tx *Tx) error {
		runs++
		if runs > 1 {
			return nil
		}
		if _, err := tx.execNow(`SELECT 1`); err != nil {
			return err
		}
		return errors.Join(insertTwice("only in the first run")(tx), hangUp(tx)) // both wait
	}, insertTwice("b"))
	if _, err := s.runUntilWritten(group); err != nil { // the writer goroutine is idle
		t.Fatal(err)
	}
	for i, j := range group {
		if j.err != nil {
			t.Errorf("write %d: %v", i, j.err)
		}
	}
	if got := events(t, s); !slices.Equal(got, []string{"a", "b"}) || runs != 2 {
		t.Errorf("%d runs, the inbox contains %v", runs, got)
	}
}

// TestAReadOutlivesAConnectionThatWasLostBefore loses connections while nobody uses them.
func TestAReadOutlivesAConnectionThatWasLostBefore(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	count := func(tx *Tx) error { return tx.QueryRow(`SELECT count(*) FROM inbox`).Scan(new(int)) }
	list := func(tx *Tx) error {
		_, err := Collect[string](tx.Query(`SELECT event_id FROM inbox`))(ScanText)
		return err
	}
	prefetched := func(tx *Tx) error {
		return errors.Join(tx.Prefetch(func() error { return count(tx) }), count(tx))
	}
	for range 2 {
		for name, fn := range map[string]func(tx *Tx) error{"a row": count, "rows": list, "prefetched": prefetched} {
			for _, read := range []func() error{
				func() error { return s.Read(t.Context(), "read", fn) }, func() error { return s.ReadOne(t.Context(), "read", fn) },
			} {
				if err := s.Write(t.Context(), "write", func(tx *Tx) error {
					_, err := tx.execNow(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				if err := read(); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// TestIDsAreInTheOrderOfTheCommits has two processes insert in turn, with and without taking ids before.
func TestIDsAreInTheOrderOfTheCommits(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	stores := []*DB{openServer(t, url, Options{}), openServer(t, url, Options{})}
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // for a test
	var last int64
	refused := errors.New("refused")
	for range 60 {
		s, rows, fails, plain := stores[dice.IntN(2)], dice.IntN(6), dice.IntN(5) == 0, dice.IntN(4) == 0
		var ids []int64
		err := s.Write(t.Context(), "write", func(tx *Tx) error {
			ids = nil
			for range rows {
				id, err := tx.Insert(`INSERT INTO people (name, created_at) VALUES (?, ?)`, "Ann", 1)
				if err != nil {
					return err
				}
				ids = append(ids, id)
				if given, err := tx.LastID("people"); err != nil || given != id {
					t.Errorf("the last id is %d, not %d, %v", given, id, err)
				}
			}
			if plain {
				if _, err := tx.Exec(`INSERT INTO people (name, created_at) SELECT 'Bob', 1`); err != nil {
					return err
				}
				id, err := tx.LastID("people")
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			if fails {
				return refused
			}
			return nil
		})
		if fails != errors.Is(err, refused) || !fails && err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if id <= last {
				t.Fatalf("id %d after %d", id, last)
			}
			last = id
		}
		if dice.IntN(4) == 0 { // a process asks for the last one
			err := stores[dice.IntN(2)].Write(t.Context(), "ask", func(tx *Tx) (err error) {
				last, err = tx.LastID("people")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAChangedTableKeepsItsIDs changes tables before their ids are asked for: the ids that were taken for them are used all the same.
func TestAChangedTableKeepsItsIDs(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	var people, rooms []int64
	for range 40 {
		err := s.Write(t.Context(), "write", func(tx *Tx) error {
			for _, table := range []string{"people", "rooms"} {
				if _, err := tx.Exec(`UPDATE ` + table + ` SET id = id WHERE id = 0`); err != nil {
					return err
				}
			}
			person, err := tx.Insert(`INSERT INTO people (name, created_at) VALUES (?, ?)`, "Ann", 1)
			if err != nil {
				return err
			}
			room, err := tx.Insert(`INSERT INTO rooms (channel, room, direct, created_at) VALUES (?, ?, 1, ?)`, "a", fmt.Sprint(person), 1)
			people, rooms = append(people, person), append(rooms, room)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range people {
		if people[i] != int64(i+1) || rooms[i] != int64(i+1) {
			t.Fatalf("the ids are %v and %v", people, rooms)
		}
	}
}

func TestInsertsWithIDsMeanTheSame(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]insertion{
		"INSERT INTO people (name, created_at)\n\tVALUES (?, ?)":       {"people", "INSERT INTO people (id, name, created_at) VALUES (?, ?, ?)"},
		"INSERT INTO people (name) VALUES (coalesce(?, (SELECT 'a')))": {"people", "INSERT INTO people (id, name) VALUES (?, coalesce(?, (SELECT 'a')))"},
		"INSERT INTO people (id, name) VALUES (?, ?)":                  {table: "people"},
		"INSERT INTO people (name) SELECT 'a'":                         {table: "people"},
		"INSERT INTO people (name) VALUES (?1)":                        {table: "people"},
		"INSERT INTO people (name) VALUES (?) ON CONFLICT DO NOTHING":  {table: "people"},
		"WITH a AS (SELECT 1) INSERT INTO people (name) SELECT 'a'":    {table: "people"},
		"UPDATE people SET name = ?":                                   {},
	} {
		if got := readInsertion(query); got != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}
