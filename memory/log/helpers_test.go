package log

import (
	"fmt"
	"testing"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
)

// events lists the event ids in the inbox, oldest first.
func events(t testing.TB, s *Store) (ids []string) {
	t.Helper()
	err := s.db.Read(t.Context(), "list events", func(tx *db.Tx) (err error) {
		ids, err = db.Collect[string](tx.Query("SELECT event_id FROM inbox ORDER BY id"))(db.ScanText)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// accept stores n messages e0, e1, … one by one.
func accept(t testing.TB, s *Store, n int) {
	t.Helper()
	for i := range n {
		if _, err := s.Accept(t.Context(), "mira", dbtest.Message("main", fmt.Sprintf("e%d", i), "hello")); err != nil {
			t.Fatal(err)
		}
	}
}
