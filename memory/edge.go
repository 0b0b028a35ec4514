package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// EdgeKind is what one memory has to do with another.
type EdgeKind string

// The kinds of edges, read from the first memory to the second.
const (
	RelatesTo   EdgeKind = "relates_to"
	Contradicts EdgeKind = "contradicts"
	Refines     EdgeKind = "refines"
	DependsOn   EdgeKind = "depends_on"
	// Contains joins a summary, or a wider topic, to what it holds.
	Contains EdgeKind = "contains"
	Implies  EdgeKind = "implies"
	CausedBy EdgeKind = "caused_by"
	Prevents EdgeKind = "prevents"
	// MergedInto is a trace of what became of a memory: nothing is recalled over it.
	MergedInto EdgeKind = "merged_into"
)

// EdgeKinds are all kinds of edges.
var EdgeKinds = []EdgeKind{RelatesTo, Contradicts, Refines, DependsOn, Contains, Implies, CausedBy, Prevents, MergedInto}

// edgeWeights are how much of one memory's score the other gets over a new edge, before damping.
var edgeWeights = map[EdgeKind]float64{
	RelatesTo: 0.5, Contradicts: 0.9, Refines: 0.8, DependsOn: 0.7, Contains: 0.6, Implies: 0.8, CausedBy: 0.75, Prevents: 0.7,
	MergedInto: 0,
}

// Edge joins two memories of one persona and one audience.
type Edge struct {
	From, To int64
	Kind     EdgeKind
	// Weight is 0–1.
	Weight float64
	// Uses is how often a reply was made from both; Touched when the edge was made, last strengthened or last weakened.
	Uses    int
	Touched time.Time
	// JobRun is the run of the job that made it, 0 for the operator's.
	JobRun int64
}

const edgeColumns = `SELECT e.from_id, e.to_id, e.kind, e.weight, e.uses, e.touched_at, e.job_run_id FROM memory_edges e`

func scanEdge(row scanner) (e Edge, err error) {
	err = row.Scan(&e.From, &e.To, &e.Kind, &e.Weight, &e.Uses, intoTime(&e.Touched), intoID(&e.JobRun))
	return e, err
}

// AddEdge joins two memories with the weight of its kind, or of e when that is not 0, and returns the edge; the same edge
// again gets the new weight. It fails with ErrNotFound when one of them is not there, and refuses to join what different
// people hear, a second container, and a circle of containers.
func (s *Store) AddEdge(ctx context.Context, e Edge) (made Edge, err error) {
	err = s.write(ctx, fmt.Sprintf("join memory %d to %d", e.From, e.To), func(tx *conn) error {
		made = e
		if made.Weight == 0 {
			made.Weight = edgeWeights[e.Kind]
		}
		from, err := tx.checkEdge(made)
		if err != nil {
			return err
		}
		if err := tx.addEdge(made); err != nil {
			return err
		}
		made, err = one(tx.row(edgeColumns+` WHERE e.from_id = ? AND e.to_id = ? AND e.kind = ?`, e.From, e.To, e.Kind), scanEdge)
		if err != nil {
			return err
		}
		return tx.advanceEach([]placed{from}, ScopeRevision{Edges: 1, Loose: 1})
	})
	return made, err
}

// checkEdge says why an edge may not be.
func (c *conn) checkEdge(e Edge) (from placed, err error) {
	_, known := edgeWeights[e.Kind]
	switch {
	case !known:
		return from, fmt.Errorf("%q is no kind of edge", e.Kind)
	case e.From == e.To:
		return from, errors.New("a memory is not joined to itself")
	case !(e.Weight >= 0 && e.Weight <= 1):
		return from, fmt.Errorf("weight %v: take 0 to 1", e.Weight)
	}
	if from, err = c.placedMemory(e.From); err != nil {
		return from, fmt.Errorf("memory %d: %w", e.From, err)
	}
	to, err := c.placedMemory(e.To)
	if err != nil {
		return from, fmt.Errorf("memory %d: %w", e.To, err)
	}
	if from.scope() != to.scope() {
		return from, errors.New("they are not heard by the same people: recall would carry one to where only the other may be told")
	}
	if e.Kind == Contains {
		return from, c.checkContains(e)
	}
	return from, nil
}

// checkContains keeps the containers a tree.
func (c *conn) checkContains(e Edge) error {
	within, err := c.containerOf(e.To)
	if err != nil {
		return err
	}
	if within != 0 && within != e.From {
		return fmt.Errorf("memory %d is within %d already: part them first", e.To, within)
	}
	for above := e.From; above != 0; {
		if above == e.To {
			return fmt.Errorf("memory %d is within %d: a circle holds nothing", e.From, e.To)
		}
		if above, err = c.containerOf(above); err != nil {
			return err
		}
	}
	return nil
}

// containerOf is the memory that contains another, 0 when none does.
func (c *conn) containerOf(id int64) (within int64, err error) {
	err = c.row(`SELECT coalesce((SELECT from_id FROM memory_edges WHERE to_id = ? AND kind = 'contains'), 0)`, id).Scan(&within)
	return within, err
}

func (c *conn) addEdge(e Edge) error {
	_, err := c.exec(`INSERT INTO memory_edges (from_id, to_id, kind, weight, touched_at, job_run_id) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (from_id, to_id, kind) DO UPDATE SET weight = excluded.weight, touched_at = excluded.touched_at`,
		e.From, e.To, e.Kind, e.Weight, c.nowMS(), nullID(e.JobRun))
	return err
}

// RemoveEdge parts two memories: the edges of a kind from one to the other, of every kind for "". It returns how many there
// were, and fails with ErrNotFound when there was none.
func (s *Store) RemoveEdge(ctx context.Context, from, to int64, kind EdgeKind) (n int, err error) {
	err = s.write(ctx, fmt.Sprintf("part memory %d from %d", from, to), func(tx *conn) error {
		at, err := tx.placedMemory(from)
		if err != nil {
			return err
		}
		gone, err := tx.affect(`DELETE FROM memory_edges WHERE from_id = ? AND to_id = ? AND (kind = ? OR ? = '')`, from, to, kind, kind)
		if err != nil {
			return err
		}
		if gone == 0 {
			return fmt.Errorf("edge from %d to %d: %w", from, to, ErrNotFound)
		}
		n = int(gone)
		return tx.advanceEach([]placed{at}, ScopeRevision{Edges: 1, Loose: 1})
	})
	return n, err
}

// Edges are the edges of persona, or of one memory when id is not 0, the heaviest first, 100 when limit is 0.
func (s *Store) Edges(ctx context.Context, persona string, id int64, limit int) (edges []Edge, err error) {
	err = s.read(ctx, "list edges", func(tx *conn) error {
		edges, err = collect[Edge](tx.rows(edgeColumns+` JOIN memories m ON m.id = e.from_id
			WHERE m.persona = ? AND (? = 0 OR e.from_id = ? OR e.to_id = ?)
			ORDER BY e.weight DESC, e.from_id, e.to_id, e.kind LIMIT ? + 0`, persona, id, id, id, limitOr(limit, 100)))(scanEdge)
		return err
	})
	return edges, err
}
