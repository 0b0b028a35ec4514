package lifecycle

import (
	"cmp"
	"fmt"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/recall"
)

const (
	// minJoinLinks is how many members of a summary a memory must be similar to before it joins. With one alone, chains
	// of similarity would grow into one big group.
	minJoinLinks = 2
	// maxMembers is the largest number of members of a summary.
	maxMembers = 48
)

// ownSummary is the SQL condition that memory u is a job's current summary and edge w one of its contains edges that
// the operator did not add. A container that the operator made does not grow by itself.
const ownSummary = `w.kind = 'contains' AND u.origin = 'inferred' AND u.kind = '' AND u.session_id IS NULL AND u.superseded_by IS NULL
	AND u.tier <> 'dormant' AND (w.job_run_id IS NOT NULL OR u.job_run_id IS NULL)`

// growingClusters returns the summaries that gain members, with those members. joins are pairs of a summary and a
// memory outside any summary that is similar to a member, once for each such member.
func growingClusters(tx *db.Tx, joins []recall.Pair) (clusters []Cluster, err error) {
	if joins, err = withRoom(tx, joins); err != nil {
		return nil, err
	}
	for _, g := range assignJoins(joins) {
		cl, err := grow(tx, g.summary, g.members)
		if err != nil {
			return nil, fmt.Errorf("add members to summary %d: %w", g.summary, err)
		}
		if cl.Summary.Supersedes != 0 {
			clusters = append(clusters, cl)
		}
	}
	return clusters, nil
}

// withRoom returns the joins to summaries that are not full.
func withRoom(tx *db.Tx, joins []recall.Pair) (open []recall.Pair, err error) {
	full := map[int64]bool{}
	for _, j := range joins {
		if _, known := full[j.A]; !known {
			members, err := contained(tx, j.A)
			if err != nil {
				return nil, err
			}
			full[j.A] = len(members) >= maxMembers
		}
		if !full[j.A] {
			open = append(open, j)
		}
	}
	return open, nil
}

// growth is a summary with the memories that join it.
type growth struct {
	summary int64
	members []int64
}

// assignJoins lets each memory that is similar to enough members of a summary join the summary with the most of them.
func assignJoins(joins []recall.Pair) []growth {
	alike := map[recall.Pair]int{}
	for _, j := range joins {
		alike[j]++
	}
	best := map[int64]recall.Pair{}
	for j, n := range alike {
		had := best[j.B]
		if n >= minJoinLinks && (alike[had] < n || alike[had] == n && j.A < had.A) {
			best[j.B] = j
		}
	}
	var all []growth
	for _, j := range best {
		i := slices.IndexFunc(all, func(g growth) bool { return g.summary == j.A })
		if i < 0 {
			i, all = len(all), append(all, growth{summary: j.A})
		}
		all[i].members = append(all[i].members, j.B)
	}
	for _, g := range all {
		slices.Sort(g.members)
	}
	slices.SortFunc(all, func(a, b growth) int { return cmp.Compare(a.summary, b.summary) })
	return all
}

// grow returns the next version of a summary with as many new members as fit, the zero Cluster when none fits.
func grow(tx *db.Tx, summary int64, more []int64) (cl Cluster, err error) {
	ids, err := contained(tx, summary)
	room := maxMembers - len(ids)
	if err != nil || room <= 0 {
		return cl, err
	}
	return nextVersion(tx, summary, append(ids, more[:min(room, len(more))]...))
}

// nextVersion returns a summary remade from members. Contradicted ones stay members but are not quoted.
func nextVersion(tx *db.Tx, summary int64, members []int64) (cl Cluster, err error) {
	slices.Sort(members)
	if cl.Members, err = MemoriesByID(tx, members); err != nil {
		return cl, err
	}
	old, err := entry.Memory(tx, summary)
	if err != nil {
		return cl, err
	}
	if cl.Summary, err = summaryNow(tx, cl.Members); err != nil {
		return cl, err
	}
	cl.Summary.Supersedes, cl.Summary.Pinned, cl.Summary.Tags = old.ID, old.Pinned, old.Tags
	return cl, nil
}

// CopyEdges gives all edges of one version of a memory to another, with the runs that made them.
func CopyEdges(tx *db.Tx, from, to int64) error {
	if _, err := tx.Exec(`DELETE FROM memory_edges WHERE from_id = ? AND to_id = ? OR from_id = ? AND to_id = ?`, from, to, to, from); err != nil {
		return err
	}
	for _, q := range []string{
		`UPDATE memory_edges SET from_id = ? WHERE from_id = ?`,
		`UPDATE memory_edges SET to_id = ? WHERE to_id = ?`,
	} {
		if _, err := tx.Exec(q, to, from); err != nil {
			return err
		}
	}
	return nil
}
