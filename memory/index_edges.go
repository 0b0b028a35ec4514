package memory

import (
	"cmp"
	"slices"
)

// edgeGraph is how the memories of a scope are joined, by their ordinals in the index. Its zero value joins nothing.
type edgeGraph struct {
	// joined are what each leads to, either way, the heaviest edges first.
	joined map[int][]joint
	// within is what contains each.
	within map[int64]int64
}

// joint is one end of an edge as seen from the other.
type joint struct {
	ordinal int
	kind    EdgeKind
	weight  float64
}

// jointBytes is about what an edge takes: two joints and their place in the maps.
const jointBytes = 160

// readEdges reads the edges of the scope. A scope in which nothing was ever joined costs nothing.
func (x *scopeIndex) readEdges(tx *conn, now ScopeRevision) error {
	x.edges = edgeGraph{}
	if now.Edges == 0 {
		return nil
	}
	clause, ref := scopeClause(x.key.audience)
	edges, err := collect[Edge](tx.rows(edgeColumns+` JOIN memories m ON m.id = e.from_id
		WHERE m.persona = ? AND `+clause+` AND e.weight > 0`, append([]any{x.key.persona}, ref...)...))(scanEdge)
	if err != nil || len(edges) == 0 {
		return err
	}
	ordinals := map[int64]int{}
	for ordinal, e := range x.entries {
		if e.memory != 0 {
			ordinals[e.memory] = ordinal
		}
	}
	x.edges = edgeGraph{joined: map[int][]joint{}, within: map[int64]int64{}}
	for _, e := range edges {
		from, here := ordinals[e.From]
		to, there := ordinals[e.To]
		if !here || !there {
			continue // one of them was replaced by a newer version
		}
		x.edges.joined[from] = append(x.edges.joined[from], joint{to, e.Kind, e.Weight})
		x.edges.joined[to] = append(x.edges.joined[to], joint{from, e.Kind, e.Weight})
		if e.Kind == Contains {
			x.edges.within[e.To] = e.From
		}
	}
	for _, ends := range x.edges.joined {
		slices.SortFunc(ends, func(a, b joint) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.ordinal, b.ordinal))
		})
	}
	return nil
}

const (
	// spreadAtMost is how many edges of one match are followed, spreadFrom the least weight of one that is.
	spreadAtMost = 5
	spreadFrom   = 0.1
)

// spread adds what the best matches are joined to and was not found by its words: one hop, each with the share of the
// match's score that the edge carries.
func (f *found) spread(scopes []*scopeIndex, seeds []candidate, skip func(scope, ordinal int) bool) {
	have := make(map[int64]bool, len(f.matches))
	for _, c := range f.matches {
		have[c.id] = true
	}
	for _, seed := range seeds {
		x := scopes[seed.scope]
		ends := x.edges.joined[seed.ordinal]
		for _, end := range ends[:min(spreadAtMost, len(ends))] {
			c := x.candidate(seed.scope, end.ordinal)
			if end.weight < spreadFrom || have[c.id] || x.entries[end.ordinal].dormant || skip(seed.scope, end.ordinal) {
				continue
			}
			have[c.id] = true
			c.score, c.linked = linkDamp*end.weight*seed.score, string(end.kind)
			f.matches = append(f.matches, c)
		}
	}
}
