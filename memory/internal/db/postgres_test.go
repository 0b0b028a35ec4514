package db

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// openServer opens the store in a database on a server, which syncs to disk if it is one that does.
func openServer(t *testing.T, url string, o Options) *DB {
	t.Helper()
	o.Now = time.Now
	s, err := Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// hangUp ends the connection of the running transaction, as a restart of the server does.
func hangUp(tx *Tx) error {
	_, err := tx.Exec(`SELECT pg_terminate_backend(pg_backend_pid())`)
	return err
}

// TestR1AWriteSurvivesALostConnection loses the connection before and after what a group writes.
func TestR1AWriteSurvivesALostConnection(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(tx *Tx) error{
		"with an error":           hangUp,
		"and the error swallowed": func(tx *Tx) error { _ = hangUp(tx); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openServer(t, pgtest.URL(t), Options{})
			runs := 0
			err := s.Write(t.Context(), "write", func(tx *Tx) error {
				if runs++; runs == 1 {
					return errors.Join(insertEvent("a")(tx), lose(tx))
				}
				return insertEvent("a")(tx)
			})
			if got := events(t, s); err != nil || runs != 2 || !slices.Equal(got, []string{"a"}) {
				t.Errorf("%v after %d runs, the inbox contains %v", err, runs, got)
			}
		})
	}
}

// TestR1OthersOfAGroupSurviveALostConnection is about the writes that share a transaction with one whose connection is lost.
func TestR1OthersOfAGroupSurviveALostConnection(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	refused := errors.New("refused")
	lost := false
	group := []*job{
		{ctx: t.Context(), what: "write a", done: make(chan error, 1), fn: insertEvent("a")},
		{ctx: t.Context(), what: "write b", done: make(chan error, 1), fn: func(tx *Tx) error { return errors.Join(insertEvent("b")(tx), refused) }},
		{ctx: t.Context(), what: "write c", done: make(chan error, 1), fn: func(tx *Tx) error {
			if !lost {
				lost = true
				return hangUp(tx)
			}
			return insertEvent("c")(tx)
		}},
	}
	if _, err := s.runUntilWritten(group[:1]); err != nil { // the writer goroutine is idle
		t.Fatal(err)
	}
	if _, err := s.runUntilWritten(group[1:]); err != nil {
		t.Fatal(err)
	}
	if got := events(t, s); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("the inbox contains %v, want a and c", got)
	}
}

// TestAFailedStatementIsNotForgotten: PostgreSQL answers COMMIT after an error by rolling back, without an error.
func TestAFailedStatementIsNotForgotten(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	err := s.Write(t.Context(), "write", func(tx *Tx) error {
		_, _ = tx.Exec(`INSERT INTO nowhere VALUES (1)`)
		return nil
	})
	if err == nil || len(events(t, s)) != 0 {
		t.Errorf("%v", err)
	}
	if err := s.Write(t.Context(), "write", insertEvent("later")); err != nil {
		t.Errorf("the next write: %v", err)
	}
}

// TestR1ARestartOfTheServerLosesNothing writes and reads while the server is down.
func TestR1ARestartOfTheServerLosesNothing(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s := openServer(t, server.URL(), Options{})
	if err := s.Write(t.Context(), "write", insertEvent("before")); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	if err := s.Read(t.Context(), "read", func(*Tx) error { return nil }); err == nil || !strings.Contains(err.Error(), "check that PostgreSQL runs") {
		t.Errorf("a read without a server: %v", err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := s.Write(t.Context(), "write", insertEvent(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(time.Second)
	server.Restart()
	wg.Wait()
	if got := events(t, s); len(got) != 21 {
		t.Errorf("%d of 21 events", len(got))
	}
}

// TestAWriteGivesUpOnAServerThatStaysDown waits for as long as it was told to.
func TestAWriteGivesUpOnAServerThatStaysDown(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s := openServer(t, server.URL(), Options{BusyTimeout: time.Second})
	server.Stop(pgtest.Fast)
	if err := s.Write(t.Context(), "write", insertEvent("a")); err == nil || !strings.Contains(err.Error(), "check that PostgreSQL runs") {
		t.Errorf("%v", err)
	}
	server.Restart()
	if err := s.Write(t.Context(), "write", insertEvent("b")); err != nil {
		t.Error(err)
	}
	if got := events(t, s); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the inbox contains %v", got)
	}
}

// TestTwoProcessesWriteInTurn writes through two stores of one database: none fails, and who reads an id has read all lower ones.
func TestTwoProcessesWriteInTurn(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 25
	url := pgtest.URL(t)
	stores := []*DB{openServer(t, url, Options{}), openServer(t, url, Options{})}
	read := make(chan error, 1)
	stop := make(chan struct{})
	go func() { read <- readUntil(t, stores[0], stop) }()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := stores[w%2].Write(t.Context(), "write", insertEvent(fmt.Sprintf("%d %d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	if err := <-read; err != nil {
		t.Error(err)
	}
	if got := events(t, stores[1]); len(got) != writers*each {
		t.Errorf("%d of %d events", len(got), writers*each)
	}
}

// readUntil reads the inbox again and again. It fails if a row appears behind one that was read before.
func readUntil(t *testing.T, s *DB, stop <-chan struct{}) error {
	var rows, highest int64
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		err := s.Read(t.Context(), "read", func(tx *Tx) error {
			var again int64
			if err := tx.QueryRow(`SELECT count(*) FROM inbox WHERE id <= ?`, highest).Scan(&again); err != nil {
				return err
			}
			if again != rows {
				return fmt.Errorf("%d rows up to id %d, now %d", rows, highest, again)
			}
			return tx.QueryRow(`SELECT count(*), coalesce(max(id), 0) FROM inbox`).Scan(&rows, &highest)
		})
		if err != nil {
			return err
		}
	}
}

// TestAProcessThatHangsHoldsUpNobody stops in the middle of a write for longer than the server waits.
func TestAProcessThatHangsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	hanging, other := openServer(t, url, Options{}), openServer(t, url, Options{})
	began := make(chan struct{})
	ended := make(chan error, 1)
	runs := 0
	go func() {
		ended <- hanging.Write(t.Context(), "hang", func(tx *Tx) error {
			if runs++; runs == 1 {
				close(began)
				time.Sleep(idleLimit + time.Second)
			}
			return insertEvent("late")(tx)
		})
	}()
	<-began
	if err := other.Write(t.Context(), "write", insertEvent("other")); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := events(t, other); !slices.Equal(got, []string{"other", "late"}) {
		t.Errorf("the inbox contains %v", got)
	}
}

// TestTwoProcessesMakeTheTables opens an empty database twice at once.
func TestTwoProcessesMakeTheTables(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			s, err := Open(t.Context(), url, Options{Now: time.Now})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestAnOldProcessWritesNothingIntoNewTables upgrades the tables while a store is open.
func TestAnOldProcessWritesNothingIntoNewTables(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := openServer(t, url, Options{})
	if err := s.Write(t.Context(), "upgrade", func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO familiar_schema (version) VALUES (?)`, NewestSchema()+1)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), "write", insertEvent("a")); !errors.Is(err, ErrNewer) {
		t.Errorf("an old process: %v", err)
	}
	if _, err := Open(t.Context(), url, Options{Now: time.Now}); !errors.Is(err, ErrNewer) {
		t.Errorf("at the start: %v", err)
	}
}

// TestTablesOfAnotherProgramAreLeftAlone opens a schema that is in use.
func TestTablesOfAnotherProgramAreLeftAlone(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	e, err := newPostgres(url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.connect(t.Context(), writing, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close() //nolint:errcheck // nothing was written
	if err := c.server.Run(t.Context(), `CREATE TABLE orders (id bigint)`); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), url, Options{Now: time.Now}); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "another program") {
		t.Errorf("%v", err)
	}
}

// TestS14ThePasswordOfTheServerIsShownNowhere connects with a wrong one.
func TestS14ThePasswordOfTheServerIsShownNowhere(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.RequirePassword("right-one")
	s := openServer(t, url, Options{})
	if strings.Contains(s.Path(), "right-one") {
		t.Errorf("the path is %s", s.Path())
	}
	wrong := strings.Replace(url, "right-one", "wrong-one", 1)
	if _, err := Open(t.Context(), wrong, Options{Now: time.Now}); err == nil || strings.Contains(err.Error(), "wrong-one") {
		t.Errorf("%v", err)
	}
}

// TestAnUnfinishedMoveCannotBeOpened is about a move that was interrupted: it is continued where it was.
func TestAnUnfinishedMoveCannotBeOpened(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"file": filepath.Join(t.TempDir(), "other.db"), "server": pgtest.URL(t)} {
		from := openTest(t)
		write := func(event string) {
			if err := from.Write(t.Context(), "write", insertEvent(event)); err != nil {
				t.Fatal(err)
			}
		}
		pass := func(m *Mover, want Moved) {
			if got, err := m.Pass(t.Context(), func(string, int64) {}); err != nil || got != want {
				t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
			}
		}
		newMover := func() *Mover {
			m, err := NewMover(t.Context(), from, address)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return m
		}
		write("a")
		write("b")
		first := newMover()
		pass(first, Moved{Rows: 2, Copied: 2})
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		if _, err := Open(t.Context(), address, Options{Now: atMonday}); !errors.Is(err, ErrMoving) {
			t.Errorf("%s: opened, %v", name, err)
		}
		write("c")
		if err := from.Write(t.Context(), "change", func(tx *Tx) error {
			return tx.ExecAll([]string{`UPDATE inbox SET payload = '{"a":1}' WHERE event_id = 'a'`, `DELETE FROM inbox WHERE event_id = 'b'`})
		}); err != nil {
			t.Fatal(err)
		}
		second := newMover()
		pass(second, Moved{Rows: 2, Copied: 2, Removed: 2})
		pass(second, Moved{Rows: 2})
		if err := errors.Join(second.Finish(), second.Close()); err != nil {
			t.Error(err)
		}
		there := openServer(t, address, Options{})
		if got := events(t, there); !slices.Equal(got, []string{"a", "c"}) {
			t.Errorf("%s: the inbox contains %v", name, got)
		}
		counted := 2.0 // how many rows the server plans for
		if name == "server" {
			if err := there.Read(t.Context(), "read", func(tx *Tx) error {
				return tx.QueryRow(`SELECT reltuples FROM pg_class WHERE oid = to_regclass('inbox')`).Scan(&counted)
			}); err != nil {
				t.Error(err)
			}
		}
		if counted != 2 {
			t.Errorf("the server plans for %v rows", counted)
		}
		if err := there.Write(t.Context(), "write", insertEvent("d")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := NewMover(t.Context(), from, address); !errors.Is(err, ErrNotEmpty) {
			t.Errorf("%s: moved onto another memory: %v", name, err)
		}
	}
}
