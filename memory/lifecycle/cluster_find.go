package lifecycle

import (
	"cmp"
	"fmt"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// similarInKind is the SQL condition that two memories m and n may be in one cluster: both have at least SalienceEvent
// (its two arguments; greetings and questions say nothing), the same audience and subject, no expiry, no forgotten
// summary and no contradiction. What no longer holds is not summarized.
const similarInKind = `m.salience >= ? AND n.salience >= ? AND m.superseded_by IS NULL AND n.superseded_by IS NULL
	AND m.tier <> 'dormant' AND n.tier <> 'dormant' AND m.origin <> 'told' AND n.origin <> 'told' AND m.apart = 0 AND n.apart = 0
	AND m.expires_at IS NULL AND n.expires_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM memory_edges x WHERE x.kind = 'contradicts' AND x.to_id IN (m.id, n.id))
	AND m.kind = '' AND n.kind = '' AND m.persona = n.persona AND m.audience = n.audience
	AND coalesce(m.audience_person, m.audience_room, 0) = coalesce(n.audience_person, n.audience_room, 0)
	AND coalesce(m.author_id, (SELECT min(person_id) FROM memory_about WHERE memory_id = m.id), 0)
		= coalesce(n.author_id, (SELECT min(person_id) FROM memory_about WHERE memory_id = n.id), 0)`

// similarPairsQuery selects the similar pairs e of memories m and n of which at most one is in a summary, with that
// memory and its summary u if it may grow by itself, 0 for none. CROSS JOIN makes SQLite keep the join order.
const similarPairsQuery = `SELECT m.id, n.id, coalesce(w.from_id, 0), coalesce(w.to_id, 0), m.origin = 'inferred' AND n.origin = 'inferred'
	FROM e CROSS JOIN memories m CROSS JOIN memories n
	LEFT JOIN memory_edges w ON w.kind = 'contains' AND w.to_id IN (m.id, n.id) LEFT JOIN memories u ON u.id = w.from_id AND ` + ownSummary + `
	WHERE m.id = e.a AND n.id = e.b AND (w.to_id IS NULL OR u.id IS NOT NULL) AND ` + similarInKind + ` ORDER BY 1, 2`

// notBothContained is the SQL condition that at most one of a and b is in a summary. In time nearly all linked memories
// are in one, so this condition comes first.
const notBothContained = `NOT (EXISTS (SELECT 1 FROM memory_edges x WHERE x.kind = 'contains' AND x.to_id = a)
	AND EXISTS (SELECT 1 FROM memory_edges y WHERE y.kind = 'contains' AND y.to_id = b))`

// linkedPairs selects the pairs e that are linked with at least one fresh end, unlinkedPair a given pair that is not
// linked.
const (
	linkedPairs = `, j(a, b) AS (SELECT r.from_id, r.to_id FROM fresh f CROSS JOIN memory_edges r WHERE r.from_id = f.id AND r.kind = 'relates_to'
		UNION SELECT r.from_id, r.to_id FROM fresh f CROSS JOIN memory_edges r WHERE r.to_id = f.id AND r.kind = 'relates_to'),
	e AS (SELECT a, b FROM j WHERE ` + notBothContained + `) `
	unlinkedPair = `WITH p(a, b) AS (SELECT ?1, ?2), e AS (SELECT a, b FROM p WHERE NOT EXISTS (SELECT 1 FROM memory_edges
		WHERE kind = 'relates_to' AND (from_id = ?1 AND to_id = ?2 OR to_id = ?1 AND from_id = ?2)) AND ` + notBothContained + `) `
)

// similarPair is a pair of similar memories with their summary.
type similarPair struct {
	recall.Pair
	// summary contains one of them, which is within; both are 0 when neither is in a summary.
	summary, within int64
	// inferred reports that both are inferred.
	inferred bool
}

func scanSimilarPair(row db.Scanner) (l similarPair, err error) {
	err = row.Scan(&l.A, &l.B, &l.summary, &l.within, &l.inferred)
	return l, err
}

// joining returns the summary and the other memory, which may join it.
func (l similarPair) joining() recall.Pair {
	if l.within == l.A {
		return recall.Pair{A: l.summary, B: l.B}
	}
	return recall.Pair{A: l.summary, B: l.A}
}

// similarIn returns the similar pairs of a scope, linked or not.
func similarIn(tx *db.Tx, sc staleScope, further []recall.Pair) ([]similarPair, error) {
	fresh, args := sc.fresh()
	pairs, err := db.Collect[similarPair](tx.Query(fresh+linkedPairs+similarPairsQuery, append(args, entry.SalienceEvent, entry.SalienceEvent)...))(scanSimilarPair)
	if err != nil {
		return nil, err
	}
	for _, p := range further {
		more, err := db.Collect[similarPair](tx.Query(unlinkedPair+similarPairsQuery, p.A, p.B, entry.SalienceEvent, entry.SalienceEvent))(scanSimilarPair)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, more...)
	}
	return pairs, nil
}

// findClusters returns what can be summarized in a scope from linked memories and from further unlinked pairs: growing
// summaries, outdated ones, summaries to merge, then new clusters. No memory is in two of them.
func findClusters(tx *db.Tx, sc staleScope, unlinked []recall.Pair) (clusters []Cluster, err error) {
	taken := map[int64]bool{}
	take := func(more []Cluster, err error) error {
		for _, cl := range more {
			taken[cl.Summary.Supersedes], taken[cl.Merged] = true, true
			for _, m := range cl.Members {
				taken[m.ID] = true
			}
		}
		clusters = append(clusters, more...)
		return err
	}
	pairs, err := similarIn(tx, sc, unlinked)
	if err != nil {
		return nil, err
	}
	var joins, summaries, open []recall.Pair
	for _, l := range pairs {
		switch {
		case l.within != 0:
			joins = append(joins, l.joining())
			continue
		case l.inferred:
			summaries = append(summaries, l.Pair)
		}
		open = append(open, l.Pair)
	}
	if err := take(growingClusters(tx, joins)); err != nil {
		return nil, err
	}
	if err := take(renewals(tx, sc, taken)); err != nil {
		return nil, err
	}
	if err := take(mergeCandidates(tx, summaries, taken)); err != nil {
		return nil, err
	}
	for _, ids := range stars(slices.DeleteFunc(open, func(p recall.Pair) bool { return taken[p.A] || taken[p.B] })) {
		members, err := MemoriesByID(tx, ids)
		if err != nil {
			return nil, err
		}
		clusters = append(clusters, Cluster{Members: members, Summary: summaryOf(members)})
	}
	return clusters, nil
}

// MemoriesByID returns the memories with the given ids, in their order. It fails with ErrNotFound when one is missing.
func MemoriesByID(tx *db.Tx, ids []int64) (all []model.Memory, err error) {
	for _, id := range ids {
		m, err := entry.Memory(tx, id)
		if err != nil {
			return nil, fmt.Errorf("memory %d: %w", id, err)
		}
		all = append(all, m)
	}
	return all, nil
}

// stars groups paired memories around those with the most partners left. Every member is similar to the centre, so that
// chains of similarity do not grow into one big group. It returns the largest groups first, their members in order.
func stars(pairs []recall.Pair) (groups [][]int64) {
	partners := map[int64][]int64{}
	for _, p := range pairs {
		partners[p.A] = append(partners[p.A], p.B)
		partners[p.B] = append(partners[p.B], p.A)
	}
	var all []int64
	for id := range partners {
		all = append(all, id)
	}
	slices.SortFunc(all, func(a, b int64) int {
		return cmp.Or(cmp.Compare(len(partners[b]), len(partners[a])), cmp.Compare(a, b))
	})
	taken := map[int64]bool{}
	for _, middle := range all {
		if taken[middle] {
			continue
		}
		group := []int64{middle}
		for _, id := range db.Distinct(partners[middle]) {
			if !taken[id] && len(group) < maxCluster {
				group = append(group, id)
			}
		}
		if len(group) < minCluster {
			continue
		}
		for _, id := range group {
			taken[id] = true
		}
		slices.Sort(group)
		groups = append(groups, group)
	}
	slices.SortStableFunc(groups, func(a, b []int64) int { return cmp.Compare(len(b), len(a)) })
	return groups
}
