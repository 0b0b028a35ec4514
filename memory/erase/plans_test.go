package erase

import (
	"strings"
	"testing"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
)

// TestPruneReadsByIndex limits each transaction of Prune to old rows: a scan would grow with the other ones.
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
