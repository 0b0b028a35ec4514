package lifecycle

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// mergeThreshold is the similarity from which two summaries are merged.
const mergeThreshold = 0.9

// mergeCandidates returns the pairs of summaries similar enough to merge: the older with the members of both. Each
// summary is in at most one pair, and none is in taken.
func mergeCandidates(tx *db.Tx, pairs []recall.Pair, taken map[int64]bool) (clusters []Cluster, err error) {
	merged := map[int64]bool{}
	for _, p := range pairs {
		if taken[p.A] || taken[p.B] || merged[p.A] || merged[p.B] {
			continue
		}
		cl, err := mergeCluster(tx, p)
		if err != nil {
			return nil, fmt.Errorf("merge summaries %d and %d: %w", p.A, p.B, err)
		}
		if cl.Merged != 0 {
			merged[p.A], merged[p.B] = true, true
			clusters = append(clusters, cl)
		}
	}
	return clusters, nil
}

// mergeCluster returns the next version of the older of two summaries with the members of the younger, or the zero
// Cluster when they are not similar enough or have too many members together.
func mergeCluster(tx *db.Tx, p recall.Pair) (cl Cluster, err error) {
	older, younger := p.A, p.B
	first, err := summaryMembers(tx, older)
	if err != nil || len(first) == 0 {
		return cl, err
	}
	second, err := summaryMembers(tx, younger)
	if err != nil || len(second) == 0 || len(first)+len(second) > maxMembers || first[0].Origin == model.OriginJob != (second[0].Origin == model.OriginJob) ||
		similarity(first, second) <= mergeThreshold {
		return cl, err
	}
	if second[0].ID < first[0].ID {
		older, younger, second = younger, older, first
	}
	taken, err := entry.Memory(tx, younger)
	if err != nil {
		return cl, err
	}
	more := make([]int64, len(second))
	for i, m := range second {
		more[i] = m.ID
	}
	if cl, err = grow(tx, older, more); err != nil {
		return cl, err
	}
	cl.Merged = younger
	cl.Summary.Pinned = cl.Summary.Pinned || taken.Pinned
	cl.Summary.Tags = slices.Compact(slices.Sorted(slices.Values(slices.Concat(cl.Summary.Tags, taken.Tags))))
	return cl, nil
}

// summaryMembers returns the members of a summary with their texts, oldest first. It returns none when the summary is
// not a job's or the operator added a member.
func summaryMembers(tx *db.Tx, id int64) ([]model.Memory, error) {
	return db.Collect[model.Memory](tx.Query(`SELECT n.id, n.origin, n.text FROM memory_edges w JOIN memories u ON u.id = w.from_id
		JOIN memories n ON n.id = w.to_id WHERE u.id = ? AND `+ownSummary+` AND NOT EXISTS (SELECT 1 FROM memory_edges h
		WHERE h.kind = 'contains' AND h.from_id = u.id AND h.job_run_id IS NULL AND u.job_run_id IS NOT NULL) ORDER BY n.id`, id))(
		func(row db.Scanner) (m model.Memory, err error) {
			err = row.Scan(&m.ID, &m.Origin, &m.Text)
			return m, err
		})
}

// similarity returns the cosine similarity of two groups of memories, 0–1, by the number of memories that contain each
// term.
func similarity(a, b []model.Memory) float64 {
	var texts []string
	for _, m := range slices.Concat(a, b) {
		texts = append(texts, m.Text)
	}
	gist := lexical.GistOf(texts...)
	holding := func(memories []model.Memory) map[string]float64 {
		counts := map[string]float64{}
		for _, m := range memories {
			for _, term := range recall.DistinctTerms(gist, m.Text) {
				counts[term]++
			}
		}
		return counts
	}
	x, y := holding(a), holding(b)
	dot := func(x, y map[string]float64) (sum float64) {
		for term, n := range x {
			sum += n * y[term]
		}
		return sum
	}
	worth := math.Sqrt(dot(x, x) * dot(y, y))
	if worth == 0 {
		return 0
	}
	return dot(x, y) / worth
}

// mergeInto moves the members of the younger summary to the holder, which supersedes it, and adds a merged_into edge of
// the run.
func mergeInto(tx *db.Tx, younger, holder, run int64) error {
	for _, q := range []string{
		`UPDATE memory_edges SET from_id = ? WHERE from_id = ? AND kind = 'contains'`,
		`UPDATE memories SET superseded_by = ? WHERE id = ?`,
	} {
		if _, err := tx.Exec(q, holder, younger); err != nil {
			return err
		}
	}
	return addEdge(tx, model.Edge{From: younger, To: holder, Kind: model.MergedInto, Weight: model.EdgeWeights[model.MergedInto], JobRun: run})
}

// Unmerge undoes merges into some memories. Each merged summary holds again with its own members, which are those made
// from its sources.
func Unmerge(tx *db.Tx, holders []scope.MemoryRef) error {
	var merged []recall.Pair
	for chunk := range slices.Chunk(scope.MemoryIDs(holders), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		some, err := db.Collect[recall.Pair](tx.Query(`SELECT from_id, to_id FROM memory_edges WHERE kind = 'merged_into' AND to_id IN `+in, args...))(recall.ScanPair)
		if err != nil {
			return err
		}
		merged = append(merged, some...)
	}
	slices.SortFunc(merged, func(a, b recall.Pair) int { return cmp.Compare(b.B, a.B) }) // the latest merge is undone first
	for _, p := range merged {
		if _, err := tx.Exec(`UPDATE memory_edges SET from_id = ?1 WHERE from_id = ?2 AND kind = 'contains' AND NOT EXISTS (
			SELECT 1 FROM memory_sources s WHERE s.memory_id = memory_edges.to_id
			AND s.message_id NOT IN (SELECT message_id FROM memory_sources WHERE memory_id = ?1))`, p.A, p.B); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE memories SET superseded_by = NULL WHERE id = ?`, p.A); err != nil {
			return err
		}
	}
	return nil
}
