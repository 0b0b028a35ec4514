package erase

import (
	"strings"
	"testing"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
)

// TestPruneReadsByIndex holds each transaction of Prune to what is old: a scan would grow with what is kept.
func TestPruneReadsByIndex(t *testing.T) {
	s := New(dbtest.Open(t), nil, nil)
	if err := s.db.Write(t.Context(), "thin nothing", func(tx *db.Tx) error {
		for _, query := range []string{pruneRuns, pruneHeard, pruneTakenBack, pruneUnheard, pruneSent, oldTurns, thinItems + "(?)", thinned + "(?)"} {
			for _, step := range dbtest.Plan(t, tx, query) {
				if strings.HasPrefix(step, "SCAN") {
					t.Errorf("%s\nreads with %q", query, step)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
