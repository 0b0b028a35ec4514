package db

import (
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// TestTheServerKnowsItsTablesSoon expects statistics of the tables after the first hundred writes, and none before.
func TestTheServerKnowsItsTablesSoon(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	write := func() {
		t.Helper()
		err := s.Write(t.Context(), "write", func(tx *Tx) error {
			_, err := tx.Exec(`INSERT INTO people (name, created_at) VALUES ('Ann', 1)`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	known := func() (rows int64) {
		t.Helper()
		err := s.ReadOne(t.Context(), "read", func(tx *Tx) (err error) {
			rows, err = One(tx.QueryRow(`SELECT CAST(reltuples AS bigint) FROM pg_class WHERE oid = to_regclass(?)`, s.engine.schema()+".people"), ScanID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	for range lookAfter[0] - 1 {
		write()
	}
	if rows := known(); rows >= 0 {
		t.Fatalf("the server counted %d rows already", rows)
	}
	write()
	for end := time.Now().Add(10 * time.Second); known() < 50; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the server counted %d rows", known())
		}
	}
}
