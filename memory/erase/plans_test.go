package erase

import (
	"slices"
	"strings"
	"testing"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
)

// growing are the tables that hold what everybody said, and what was made of it.
var growing = []string{
	"messages", "memories", "memory_sources", "memory_entities", "memory_edges", "beliefs", "belief_evidence", "inbox", "turns", "turn_heard",
	"turn_items", "turn_item_lines", "turn_usage", "sessions", "sent_as", "reactions", "message_files",
}

// TestErasingAPersonReadsByIndex lets no statement of an erasure read everybody's talk.
func TestErasingAPersonReadsByIndex(t *testing.T) {
	dbtest.OnSQLite(t)
	s := New(dbtest.Open(t), nil, nil)
	if err := s.db.Write(t.Context(), "erase nobody", func(tx *db.Tx) error {
		for _, query := range personStatements {
			for _, step := range dbtest.Plan(t, tx, query) {
				fields := strings.Fields(step)
				waiting := slices.Contains([]string{"inbox_pending", "inbox_dead"}, fields[len(fields)-1]) // partial, with few rows
				if fields[0] == "SCAN" && slices.Contains(growing, fields[1]) && !waiting {
					t.Errorf("%s\nreads with %q", query, step)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestPruneReadsByIndex limits each transaction of Prune to old rows: a scan would grow with the other ones.
func TestPruneReadsByIndex(t *testing.T) {
	dbtest.OnSQLite(t)
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
