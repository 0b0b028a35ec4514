package memory

import "time"

const (
	// strengthening is how much of what is missing to 1 an edge gains when a reply was made from both its memories.
	strengthening = 0.05
	// idleAfter is the time unused after which an edge keeps only idleKeeps of its weight, each time anew; below pruneBelow
	// it goes.
	idleAfter  = 30 * 24 * time.Hour
	idleKeeps  = 0.9
	pruneBelow = 0.05
)

// ageing holds of the edges e that age: what contains what, and what became of what, stays so however seldom it is used.
const ageing = `e.kind NOT IN ('contains', 'merged_into') AND e.touched_at <= ?
	AND EXISTS (SELECT 1 FROM memories m WHERE m.id = e.from_id AND m.persona = ?)`

// idleEdges counts the edges that weaken would weaken and prune.
func (c *conn) idleEdges(persona string, now time.Time) (weakened, pruned int, err error) {
	err = c.row(`SELECT count(*), coalesce(sum(CASE WHEN e.weight * ? < ? THEN 1 ELSE 0 END), 0) FROM memory_edges e WHERE `+ageing,
		idleKeeps, pruneBelow, ms(now.Add(-idleAfter)), persona).Scan(&weakened, &pruned)
	return weakened - pruned, pruned, err
}

// weaken takes a tenth of their weight from persona's edges that were not used for a month, and removes those of which too
// little is left.
func (c *conn) weaken(persona string, now time.Time) (weakened, pruned int, err error) {
	weakened, pruned, err = c.idleEdges(persona, now)
	if err != nil || weakened+pruned == 0 {
		return 0, 0, err
	}
	ends, err := collect[placed](c.rows(placedColumns+`m.id IN (SELECT e.from_id FROM memory_edges e WHERE `+ageing+`)`,
		ms(now.Add(-idleAfter)), persona))(scanPlaced)
	if err != nil {
		return 0, 0, err
	}
	cutoff := ms(now.Add(-idleAfter))
	if _, err := c.exec(`DELETE FROM memory_edges AS e WHERE e.weight * ? < ? AND `+ageing, idleKeeps, pruneBelow, cutoff, persona); err != nil {
		return 0, 0, err
	}
	if _, err := c.exec(`UPDATE memory_edges AS e SET weight = e.weight * ?, touched_at = ? WHERE `+ageing, idleKeeps, ms(now), cutoff, persona); err != nil {
		return 0, 0, err
	}
	return weakened, pruned, c.advanceEach(ends, ScopeRevision{Edges: 1})
}
