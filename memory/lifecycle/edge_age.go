package lifecycle

import (
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

const (
	// edgeGain is the share of the missing weight (1 − weight) that an edge gains when a reply was made from both its
	// memories.
	edgeGain = 0.05
	// An edge unused for idleAfter keeps idleFactor of its weight, again after each further idleAfter. Below pruneBelow
	// it is removed.
	idleAfter  = 30 * 24 * time.Hour
	idleFactor = 0.9
	pruneBelow = 0.05
)

// agingEdges is the SQL condition that edge e ages. What contains what, what was merged into what and what contradicts
// what stays true however seldom it is used.
const agingEdges = `e.kind NOT IN ('contains', 'merged_into', 'contradicts') AND e.touched_at <= ?
	AND EXISTS (SELECT 1 FROM memories m WHERE m.id = e.from_id AND m.persona = ?)`

// idleEdges counts the edges that ageEdges would weaken and prune.
func idleEdges(tx *db.Tx, persona string, now time.Time) (weakened, pruned int, err error) {
	err = tx.QueryRow(`SELECT count(*), coalesce(sum(CASE WHEN e.weight * ? < ? THEN 1 ELSE 0 END), 0) FROM memory_edges e WHERE `+agingEdges,
		idleFactor, pruneBelow, db.Millis(now.Add(-idleAfter)), persona).Scan(&weakened, &pruned)
	return weakened - pruned, pruned, err
}

// edgeBatch is how many edges one transaction weakens: a turn waits behind it for a few milliseconds.
const edgeBatch = 500

// ageEdges takes a tenth of the weight from persona's edges unused for a month, at most edgeBatch of them, and removes
// those that become too weak.
func ageEdges(tx *db.Tx, persona string, now time.Time) (weakened, pruned int, err error) {
	edges, err := db.Collect[model.Edge](tx.Query(EdgeColumns+` WHERE `+agingEdges+` LIMIT ? + 0`, db.Millis(now.Add(-idleAfter)), persona, edgeBatch))(ScanEdge)
	if err != nil || len(edges) == 0 {
		return 0, 0, err
	}
	from := make([]int64, len(edges))
	for i, e := range edges {
		from[i] = e.From
		if e.Weight*idleFactor < pruneBelow {
			pruned++
			_, err = tx.Exec(`DELETE FROM memory_edges WHERE from_id = ? AND to_id = ? AND kind = ?`, e.From, e.To, e.Kind)
		} else {
			_, err = tx.Exec(`UPDATE memory_edges SET weight = ?, touched_at = ? WHERE from_id = ? AND to_id = ? AND kind = ?`,
				e.Weight*idleFactor, db.Millis(now), e.From, e.To, e.Kind)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	in, args := db.Placeholders(from)
	ends, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.id IN `+in, args...))(scope.ScanMemoryRef)
	if err != nil {
		return 0, 0, err
	}
	return len(edges) - pruned, pruned, AdvanceEach(tx, ends, model.ScopeRevision{Edges: 1})
}
