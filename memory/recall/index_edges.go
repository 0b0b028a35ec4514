package recall

import (
	"cmp"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

const (
	// maxEdgesPerMatch is how many edges of one match are followed, minEdgeWeight the lightest edge that is.
	maxEdgesPerMatch = 5
	minEdgeWeight    = 0.1
)

// edgeEnd is one end of an edge as seen from the other.
type edgeEnd struct {
	memory int64
	kind   model.EdgeKind
	weight float64
}

// hasEdges reports whether any of the scopes ever had an edge.
func (r scopeSet) hasEdges() bool {
	return slices.ContainsFunc(r.at, func(at model.ScopeRevision) bool { return at.Edges > 0 })
}

// spread adds the memories that edges join to the best matches and that the words did not find. It goes one hop; each
// gets the share of the match's score that the edge carries.
func (f *rankState) spread(tx *db.Tx, r scopeSet) error {
	if len(f.seeds) == 0 || !r.hasEdges() {
		return nil
	}
	joints, err := edgeEnds(tx, f.seeds)
	if err != nil {
		return err
	}
	have := make(map[int64]int, len(f.matches))
	for i := range f.matches {
		have[f.matches[i].id] = i
	}
	for _, seed := range f.seeds {
		f.hop(r.scopes[seed.scope], seed, joints[seed.id], have)
	}
	return nil
}

// hop adds the neighbours of one match in its scope that its words did not find, over its heaviest edges; of equal edges,
// the older memory first.
func (f *rankState) hop(x *scopeIndex, seed candidate, ends []edgeEnd, have map[int64]int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	ends = slices.DeleteFunc(ends, func(j edgeEnd) bool {
		_, here := x.ordinalOf(j.memory)
		return !here // a newer version replaced it
	})
	slices.SortFunc(ends, func(a, b edgeEnd) int {
		one, _ := x.ordinalOf(a.memory)
		other, _ := x.ordinalOf(b.memory)
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(one, other), cmp.Compare(a.kind, b.kind))
	})
	for _, end := range ends[:min(maxEdgesPerMatch, len(ends))] {
		ordinal, _ := x.ordinalOf(end.memory)
		if end.weight < minEdgeWeight || x.entries[ordinal].dormant || f.skip(seed.scope, ordinal) {
			continue
		}
		score := hopDamping * end.weight * seed.score
		if at, found := have[end.memory]; found {
			f.matches[at].linkBy(string(end.kind), score)
			continue
		}
		have[end.memory] = len(f.matches)
		c := x.candidate(seed.scope, ordinal)
		c.score, c.linked = score, string(end.kind)
		f.matches = append(f.matches, c)
	}
}

// edgeEnds returns the neighbours of candidates over edges in both directions, by candidate.
func edgeEnds(tx *db.Tx, of []candidate) (map[int64][]edgeEnd, error) {
	ids := make([]int64, len(of))
	for i, m := range of {
		ids[i] = m.id
	}
	in, args := db.Placeholders(ids)
	joints := make(map[int64][]edgeEnd, len(of))
	_, err := db.Collect[int64](tx.Query(`SELECT from_id, to_id, kind, weight FROM memory_edges WHERE weight > 0 AND from_id IN `+in+`
		UNION ALL SELECT to_id, from_id, kind, weight FROM memory_edges WHERE weight > 0 AND to_id IN `+in,
		slices.Concat(args, args)...))(func(row db.Scanner) (id int64, err error) {
		var j edgeEnd
		err = row.Scan(&id, &j.memory, &j.kind, &j.weight)
		joints[id] = append(joints[id], j)
		return id, err
	})
	return joints, err
}

// noteContainers sets, for each candidate, the memory that contains it.
func (f *rankState) noteContainers(tx *db.Tx, r scopeSet) error {
	if !r.hasEdges() {
		return nil
	}
	var ids []int64
	for _, cs := range f.all() {
		for _, c := range *cs {
			ids = append(ids, c.id)
		}
	}
	in, args := db.Placeholders(ids)
	within := make(map[int64]int64)
	_, err := db.Collect[int64](tx.Query(`SELECT to_id, from_id FROM memory_edges WHERE kind = 'contains' AND weight > 0 AND to_id IN `+in,
		args...))(func(row db.Scanner) (id int64, err error) {
		var container int64
		err = row.Scan(&id, &container)
		within[id] = container
		return id, err
	})
	for _, cs := range f.all() {
		for i := range *cs {
			(*cs)[i].within = within[(*cs)[i].id]
		}
	}
	return err
}
