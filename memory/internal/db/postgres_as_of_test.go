package db

import (
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// TestEveryTableWithAHistoryIsHiddenOnAServer makes all views at once, on each connection, also on one that replaces a lost one.
func TestEveryTableWithAHistoryIsHiddenOnAServer(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	if err := s.Write(t.Context(), "write", insertEvent("a")); err != nil {
		t.Fatal(err)
	}
	then, err := s.AsOf(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer then.Close() //nolint:errcheck // it only reads
	for range 2 {
		var views, waiting int
		if err := then.Read(t.Context(), "count", func(tx *Tx) error {
			return tx.QueryRow(`SELECT (SELECT count(*) FROM pg_class WHERE relkind = 'v' AND relpersistence = 't'), (SELECT count(*) FROM inbox)`).Scan(&views, &waiting)
		}); err != nil || views != len(pastViews) || waiting != 0 {
			t.Errorf("%d views of %d tables, %d rows of the inbox, %v", views, len(pastViews), waiting, err)
		}
		if err := then.Read(t.Context(), "hang up", hangUp); err == nil {
			t.Error("the connection was not lost")
		}
	}
}
