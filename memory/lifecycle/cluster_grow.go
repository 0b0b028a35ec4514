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
	// minJoinLinks is with how many of a summary's members another memory must be alike to join them: with one alone, chains
	// of likeness would grow into one heap.
	minJoinLinks = 2
	// maxMembers is up to how many members a summary grows.
	maxMembers = 48
)

// ownSummary holds of a memory u that is a job's summary in use, and an edge w by which it contains something, unless the
// operator put that there: a container of the operator's own making does not grow by itself.
const ownSummary = `w.kind = 'contains' AND u.origin = 'inferred' AND u.kind = '' AND u.session_id IS NULL AND u.superseded_by IS NULL
	AND u.tier <> 'dormant' AND (w.job_run_id IS NOT NULL OR u.job_run_id IS NULL)`

// growingClusters are the summaries that have new members, as they will be with them. joins are pairs of a summary and a memory without
// one that is alike to a member, each as often as it is to one.
func growingClusters(tx *db.Tx, joins []recall.Pair) (clusters []Cluster, err error) {
	if joins, err = withRoom(tx, joins); err != nil {
		return nil, err
	}
	for _, g := range assignJoins(joins) {
		cl, err := grow(tx, g.summary, g.members)
		if err != nil {
			return nil, fmt.Errorf("let summary %d grow: %w", g.summary, err)
		}
		if cl.Summary.Supersedes != 0 {
			clusters = append(clusters, cl)
		}
	}
	return clusters, nil
}

// withRoom are the joins of summaries that are not full.
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

// growth is a summary with those that join its members.
type growth struct {
	summary int64
	members []int64
}

// assignJoins lets every memory that is alike to enough of a summary's members join the one that has the most of them.
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

// grow is a summary as its next version with more members, as many as it takes; the zero Cluster when it takes none.
func grow(tx *db.Tx, summary int64, more []int64) (cl Cluster, err error) {
	ids, err := contained(tx, summary)
	room := maxMembers - len(ids)
	if err != nil || room <= 0 {
		return cl, err
	}
	return nextVersion(tx, summary, append(ids, more[:min(room, len(more))]...))
}

// nextVersion is a summary made again of members. Those that were contradicted stay its members and are not quoted.
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
