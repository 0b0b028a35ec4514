package lifecycle

import (
	"fmt"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// outdatedSummaries selects the summaries u of fresh memories that may be outdated: a member was contradicted since, or
// is a summary with a newer version.
const outdatedSummaries = `SELECT DISTINCT u.id FROM fresh f CROSS JOIN memory_edges w CROSS JOIN memories u
	WHERE w.to_id = f.id AND u.id = w.from_id AND ` + ownSummary + ` AND (
		EXISTS (SELECT 1 FROM memory_edges x WHERE x.to_id = f.id AND x.kind = 'contradicts' AND x.touched_at >= u.created_at)
		OR w.to_id > w.from_id AND EXISTS (SELECT 1 FROM memories n WHERE n.id = f.id AND n.origin = 'inferred'))
	ORDER BY 1`

// renewals returns the summaries of a scope, except taken ones, that read differently when they are remade from the
// same members.
func renewals(tx *db.Tx, sc staleScope, taken map[int64]bool) (clusters []Cluster, err error) {
	fresh, args := sc.fresh()
	summaries, err := db.Collect[int64](tx.Query(fresh+outdatedSummaries, args...))(db.ScanID)
	if err != nil {
		return nil, err
	}
	for _, id := range summaries {
		if taken[id] {
			continue
		}
		cl, err := renew(tx, id)
		if err != nil {
			return nil, fmt.Errorf("remake summary %d: %w", id, err)
		}
		if cl.Summary.Supersedes != 0 {
			clusters = append(clusters, cl)
		}
	}
	return clusters, nil
}

// renew returns the next version of a summary, the zero Cluster when it says the same.
func renew(tx *db.Tx, id int64) (Cluster, error) {
	members, err := contained(tx, id)
	if err != nil {
		return Cluster{}, err
	}
	old, err := entry.Memory(tx, id)
	if err != nil {
		return Cluster{}, err
	}
	cl, err := nextVersion(tx, id, members)
	if err != nil || cl.Summary.Text == old.Text {
		return Cluster{}, err
	}
	return cl, nil
}

// summaryNow returns a summary of those members that were not contradicted, or of all, as past, when all were.
func summaryNow(tx *db.Tx, members []model.Memory) (model.Memory, error) {
	ids := make([]int64, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	in, args := db.Placeholders(ids)
	past, err := db.Collect[int64](tx.Query(`SELECT to_id FROM memory_edges WHERE kind = 'contradicts' AND to_id IN `+in, args...))(db.ScanID)
	if err != nil {
		return model.Memory{}, err
	}
	holding := slices.DeleteFunc(slices.Clone(members), func(m model.Memory) bool { return slices.Contains(past, m.ID) })
	if len(holding) > 0 {
		return summaryOf(holding), nil
	}
	s := summaryOf(members)
	s.Text = "No longer so: " + s.Text
	return s, nil
}
