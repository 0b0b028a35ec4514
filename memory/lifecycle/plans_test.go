package lifecycle

import (
	"strings"
	"testing"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// TestEdgesAgeByAnIndexOfTheirOwn limits each transaction that weakens edges to those that age: contains edges never
// do, and each transaction would read them all.
func TestEdgesAgeByAnIndexOfTheirOwn(t *testing.T) {
	dbtest.OnSQLite(t)
	s := New(dbtest.Open(t), nil)
	if err := s.db.Read(t.Context(), "weaken nothing", func(tx *db.Tx) error {
		steps := dbtest.Plan(t, tx, EdgeColumns+` WHERE `+agingEdges+` LIMIT ? + 0`)
		if len(steps) == 0 || !strings.Contains(steps[0], "memory_edges_idle (touched_at<?)") {
			t.Errorf("edges that age are read with %q", steps)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestVectorsAreReadByIndex limits the backlog query, which runs every few seconds, and the read of the last turns'
// vectors to what is new.
func TestVectorsAreReadByIndex(t *testing.T) {
	dbtest.OnSQLite(t)
	s := New(dbtest.Open(t), nil)
	if err := entry.New(s.db).UseEmbedder(t.Context(), "m"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.EmbeddingBacklog(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Read(t.Context(), "read no vectors", func(tx *db.Tx) error {
		for _, a := range []model.Audience{{Kind: model.Private, Ref: 1}, {Kind: model.InRoom, Ref: 1}, {Kind: model.World}} {
			for query, order := range map[string]string{recall.ScopeVectorsQuery: recall.NewestVectorsFirst, recall.LatestVectorsQuery: recall.LatestVectorsFirst} {
				clause, _ := scope.MemoryCondition(a)
				if _, err := tx.Stmt(query + clause + order); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	checked := 0
	err := s.db.EachStatement(t.Context(), func(tx *db.Tx, query string) {
		about := strings.Contains(query, "vectors") || strings.Contains(query, "embedding_failures")
		if !about || !strings.HasPrefix(query, "SELECT") {
			return
		}
		checked++
		for _, step := range dbtest.Plan(t, tx, query) {
			if strings.HasPrefix(step, "SCAN") {
				t.Errorf("%s\nreads with %q", query, step)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 8 {
		t.Errorf("only %d queries were looked at", checked)
	}
}

// TestConsolidationReadsByIndex limits what runs every two hours, the search for clusters and moves, to memories that
// are new, linked to new ones, used or due.
func TestConsolidationReadsByIndex(t *testing.T) {
	dbtest.OnSQLite(t)
	s := New(dbtest.Open(t), nil)
	if err := s.db.Read(t.Context(), "move nothing", func(tx *db.Tx) error {
		rules, err := rulesOf(tx, "mira")
		if err != nil {
			return err
		}
		_, moved, _ := firstMatchingRule(rules, "mira", dbtest.Monday)
		queries := []string{`SELECT m.id FROM memories m WHERE ` + moved}
		for _, a := range []model.Audience{{Kind: model.Private, Ref: 1}, {Kind: model.InRoom, Ref: 1}, {Kind: model.World}} {
			fresh, _ := staleScope{Key: scope.Key{Persona: "mira", Audience: a}}.fresh()
			queries = append(queries, fresh+linkedPairs+similarPairsQuery, fresh+outdatedSummaries)
		}
		for _, query := range queries {
			for _, step := range dbtest.Plan(t, tx, query) {
				all := strings.HasPrefix(step, "SCAN m") || strings.HasPrefix(step, "SCAN r") || strings.HasPrefix(step, "SCAN w")
				if all || strings.HasSuffix(step, "(persona=?)") || strings.Contains(step, "AUTOMATIC") || strings.Contains(step, "by_session") {
					t.Errorf("%s\nreads with %q", query, step)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
