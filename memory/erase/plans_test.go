package erase

import (
	"strings"
	"testing"

	"familiar/memory/internal/db"
)

// TestPruneReadsByIndex holds each transaction of Prune to what is old: a scan would grow with what is kept.
func TestPruneReadsByIndex(t *testing.T) {
	s := openGround(t)
	if err := s.db.Write(t.Context(), "thin nothing", func(tx *db.Tx) error {
		for _, query := range []string{pruneRuns, pruneHeard, pruneTakenBack, pruneUnheard, pruneSent, oldTurns, thinItems + "(?)", thinned + "(?)"} {
			for _, step := range plan(t, tx, query) {
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
