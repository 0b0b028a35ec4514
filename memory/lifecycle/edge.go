package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// EdgeColumns selects the columns that ScanEdge reads, from memory_edges e. Append a JOIN or WHERE clause.
const EdgeColumns = `SELECT e.from_id, e.to_id, e.kind, e.weight, e.uses, e.touched_at, e.job_run_id FROM memory_edges e`

// ScanEdge reads a row of EdgeColumns.
func ScanEdge(row db.Scanner) (e model.Edge, err error) {
	err = row.Scan(&e.From, &e.To, &e.Kind, &e.Weight, &e.Uses, db.IntoTime(&e.Touched), db.IntoID(&e.JobRun))
	return e, err
}

// AddEdge links two memories and returns the edge. A weight of 0 means the weight of its kind. Adding an existing edge
// sets its weight. It fails with ErrNotFound when a memory is missing. It refuses edges between different audiences, a
// second container, and a cycle of containers.
func (s *Store) AddEdge(ctx context.Context, e model.Edge) (made model.Edge, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("link memory %d to %d", e.From, e.To), func(tx *db.Tx) error {
		made = e
		if made.Weight == 0 {
			made.Weight = model.EdgeWeights[e.Kind]
		}
		from, err := checkEdge(tx, made)
		if err != nil {
			return err
		}
		if err := addEdge(tx, made); err != nil {
			return err
		}
		made, err = db.One(tx.QueryRow(EdgeColumns+` WHERE e.from_id = ? AND e.to_id = ? AND e.kind = ?`, e.From, e.To, e.Kind), ScanEdge)
		if err != nil {
			return err
		}
		return AdvanceEach(tx, []scope.MemoryRef{from}, model.ScopeRevision{Edges: 1, Unclustered: 1})
	})
	return made, err
}

// checkEdge fails when an edge is not allowed.
func checkEdge(tx *db.Tx, e model.Edge) (from scope.MemoryRef, err error) {
	_, known := model.EdgeWeights[e.Kind]
	switch {
	case !known:
		return from, fmt.Errorf("unknown kind of edge %q", e.Kind)
	case e.From == e.To:
		return from, errors.New("a memory cannot be linked to itself")
	case !(e.Weight >= 0 && e.Weight <= 1):
		return from, fmt.Errorf("weight %v is not within 0–1", e.Weight)
	}
	if from, err = entry.Locate(tx, e.From); err != nil {
		return from, fmt.Errorf("memory %d: %w", e.From, err)
	}
	to, err := entry.Locate(tx, e.To)
	if err != nil {
		return from, fmt.Errorf("memory %d: %w", e.To, err)
	}
	if from.Scope() != to.Scope() {
		return from, errors.New("the memories have different audiences: recall would show one where only the other is visible")
	}
	if e.Kind == model.Contains {
		return from, checkContains(tx, e)
	}
	return from, nil
}

// checkContains keeps the containers a forest.
func checkContains(tx *db.Tx, e model.Edge) error {
	within, err := containerOf(tx, e.To)
	if err != nil {
		return err
	}
	if within != 0 && within != e.From {
		return fmt.Errorf("memory %d is already contained in %d: remove that edge first", e.To, within)
	}
	for above := e.From; above != 0; {
		if above == e.To {
			return fmt.Errorf("memory %d is contained in %d: contains edges cannot form a cycle", e.From, e.To)
		}
		if above, err = containerOf(tx, above); err != nil {
			return err
		}
	}
	return nil
}

// containerOf returns the memory that contains another, 0 for none.
func containerOf(tx *db.Tx, id int64) (within int64, err error) {
	err = tx.QueryRow(`SELECT coalesce((SELECT from_id FROM memory_edges WHERE to_id = ? AND kind = 'contains'), 0)`, id).Scan(&within)
	return within, err
}

func addEdge(tx *db.Tx, e model.Edge) error {
	_, err := tx.Exec(`INSERT INTO memory_edges (from_id, to_id, kind, weight, touched_at, job_run_id) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (from_id, to_id, kind) DO UPDATE SET weight = excluded.weight, touched_at = excluded.touched_at`,
		e.From, e.To, e.Kind, e.Weight, tx.NowMillis(), db.NullID(e.JobRun))
	return err
}

// RemoveEdge removes the edges of a kind from one memory to another, of every kind for "". It returns how many there
// were and fails with ErrNotFound when there was none.
func (s *Store) RemoveEdge(ctx context.Context, from, to int64, kind model.EdgeKind) (n int, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("unlink memory %d from %d", from, to), func(tx *db.Tx) error {
		at, err := entry.Locate(tx, from)
		if err != nil {
			return err
		}
		gone, err := tx.Affect(`DELETE FROM memory_edges WHERE from_id = ? AND to_id = ? AND (kind = ? OR ? = '')`, from, to, kind, kind)
		if err != nil {
			return err
		}
		if gone == 0 {
			return fmt.Errorf("edge from %d to %d: %w", from, to, db.ErrNotFound)
		}
		n = int(gone)
		return AdvanceEach(tx, []scope.MemoryRef{at}, model.ScopeRevision{Edges: 1, Unclustered: 1})
	})
	return n, err
}

// Edges returns the edges of persona, or those of one memory when id is not 0, heaviest first, 100 when limit is 0.
func (s *Store) Edges(ctx context.Context, persona string, id int64, limit int) (edges []model.Edge, err error) {
	which, args := `m.persona = ?`, []any{persona}
	if id != 0 {
		which, args = `+m.persona = ? AND (e.from_id = ? OR e.to_id = ?)`, append(args, id, id)
	}
	err = s.db.Read(ctx, "list edges", func(tx *db.Tx) error {
		edges, err = db.Collect[model.Edge](tx.Query(EdgeColumns+` JOIN memories m ON m.id = e.from_id WHERE `+which+`
			ORDER BY e.weight DESC, e.from_id, e.to_id, e.kind LIMIT ? + 0`, append(args, db.LimitOr(limit, 100))...))(ScanEdge)
		return err
	})
	return edges, err
}

// Untyped returns edges of similar memories between which there is no other edge, heaviest first, as far as they are visible in
// v: nobody has said how these memories relate.
func (s *Store) Untyped(ctx context.Context, v scope.Visibility, limit int) (edges []model.Edge, err error) {
	seen, args := v.Where("m")
	err = s.db.Read(ctx, "list similar memories whose relation nobody has named", func(tx *db.Tx) error {
		edges, err = db.Collect[model.Edge](tx.Query(EdgeColumns+` JOIN memories m ON m.id = e.from_id
			WHERE e.kind = 'relates_to' AND `+seen+` AND NOT EXISTS (SELECT 1 FROM memory_edges o WHERE o.kind <> 'relates_to'
				AND (o.from_id = e.from_id AND o.to_id = e.to_id OR o.from_id = e.to_id AND o.to_id = e.from_id))
			ORDER BY e.weight DESC, e.from_id, e.to_id LIMIT ? + 0`, append(args, db.LimitOr(limit, 100))...))(ScanEdge)
		return err
	})
	return edges, err
}
