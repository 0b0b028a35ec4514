package db

import (
	"errors"
	"slices"
	"testing"

	"familiar/internal/pgtest"
)

// endReaders ends the connections of all readers while they are idle, as a firewall or an administrator does.
func endReaders(t *testing.T, s *DB) {
	t.Helper()
	for _, c := range slices.Backward(s.pool.takeAll()) { // the one that was used last is put back last
		if c.server != nil {
			if err := s.Write(t.Context(), "hang up", func(tx *Tx) error {
				_, err := tx.Exec(`SELECT pg_terminate_backend(CAST(? AS int4), 5000)`, int64(c.server.PID()))
				return err
			}); err != nil {
				t.Error(err)
			}
		}
		s.pool.put(c)
	}
}

// TestAReadSurvivesAConnectionLostWhileIdle reads on connections that have ended since their last use.
func TestAReadSurvivesAConnectionLostWhileIdle(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	if err := errors.Join(s.Write(t.Context(), "write", insertEvent("a")), s.Write(t.Context(), "write", insertEvent("b"))); err != nil {
		t.Fatal(err)
	}
	var got []string
	list := func(tx *Tx) (err error) {
		got, err = Collect[string](tx.Query(`SELECT event_id FROM inbox ORDER BY id`))(ScanText)
		return err
	}
	count := func(tx *Tx) error {
		var n int
		return tx.QueryRow(`SELECT count(*) FROM inbox`).Scan(&n)
	}
	for name, read := range map[string]func() error{
		"rows of one statement": func() error { return s.ReadOne(t.Context(), "read", list) },
		"a row of one":          func() error { return s.ReadOne(t.Context(), "read", count) },
		"rows of a transaction": func() error { return s.Read(t.Context(), "read", list) },
		"a statement": func() error {
			return s.ReadOne(t.Context(), "read", func(tx *Tx) error { _, err := tx.Exec(`SELECT 1`); return err })
		},
	} {
		if err := read(); err != nil {
			t.Fatal(err)
		}
		endReaders(t, s)
		got = []string{"a", "b"}
		if err := read(); err != nil || !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if n := s.Stats().Repeats; n == 0 { // most of them begin anew at their first statement
		t.Errorf("%d repeats", n)
	}
}

// TestAReadThatGaveRowsIsNotRepeated loses the connection between two rows.
func TestAReadThatGaveRowsIsNotRepeated(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	rows := 0
	err := s.ReadOne(t.Context(), "read", func(tx *Tx) error {
		// The last row ends the connection. What comes before it is more than fits into a message.
		_, err := Collect[string](tx.Query(`SELECT CASE WHEN n < 2000 THEN repeat('x', 1000) ELSE CAST(pg_terminate_backend(pg_backend_pid()) AS text) END FROM generate_series(1, 2000) n`))(func(row Scanner) (string, error) {
			rows++
			return ScanText(row)
		})
		return err
	})
	if err == nil || rows == 0 || rows > 2000 || s.Stats().Repeats != 0 {
		t.Errorf("%d rows, %d repeats, %v", rows, s.Stats().Repeats, err)
	}
}
