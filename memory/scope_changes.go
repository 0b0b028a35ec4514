package memory

import "slices"

const (
	// changesKept is of how many steps of a scope's epoch it is known what they were about: those of some days. An index that
	// has not caught up for longer is read anew.
	changesKept = 32
	// changesAtOnce is how many memories of a scope are noted one by one: past that it is read anew as fast as mended.
	changesAtOnce = 200
)

// changed notes that memories were changed or removed, and which, each scope's by itself. What they say, who said it and
// when it expires is as it was.
func (c *conn) changed(memories []placed) error {
	return c.moved(memories, ScopeRevision{Epoch: 1, Loose: 1})
}

// moved adds by's counters, one step of the epoch, to those of each scope the memories are in, and notes which they are.
func (c *conn) moved(memories []placed, by ScopeRevision) error {
	byScope := map[scopeKey][]int64{}
	var scopes []scopeKey
	for _, m := range memories {
		if byScope[m.scope()] == nil {
			scopes = append(scopes, m.scope())
		}
		byScope[m.scope()] = append(byScope[m.scope()], m.id)
	}
	for _, s := range scopes {
		by.Audience = s.audience
		if err := c.advance(s.persona, by); err != nil {
			return err
		}
		if err := c.noteChanges(s, distinct(byScope[s])); err != nil {
			return err
		}
	}
	return nil
}

// noteChanges notes what the step just made of a scope's epoch was about, and forgets of the first one noted.
func (c *conn) noteChanges(s scopeKey, memories []int64) error {
	scope := []any{s.persona, s.audience.Kind, s.audience.Ref}
	epoch, err := one(c.row(`SELECT epoch FROM scopes WHERE persona = ? AND audience = ? AND ref = ?`, scope...), scanID)
	if err != nil {
		return err
	}
	if _, err := c.exec(`DELETE FROM scope_changes WHERE persona = ? AND audience = ? AND ref = ? AND epoch <= ?`,
		append(slices.Clone(scope), epoch-changesKept)...); err != nil || len(memories) > changesAtOnce {
		return err
	}
	rows := make([][]any, len(memories))
	for i, id := range memories {
		rows[i] = append(slices.Clone(scope), epoch, id)
	}
	return c.insertRows("scope_changes (persona, audience, ref, epoch, memory_id)", rows)
}

// changedBetween are the memories that the steps of a scope's epoch after one and up to another were about; all says that
// of one of them nobody knows.
func (c *conn) changedBetween(s scopeKey, after, now int64) (memories []int64, all bool, err error) {
	steps, last := int64(0), after
	memories, err = collect[int64](c.rows(`SELECT epoch, memory_id FROM scope_changes
		WHERE persona = ? AND audience = ? AND ref = ? AND epoch > ? ORDER BY epoch, memory_id`,
		s.persona, s.audience.Kind, s.audience.Ref, after))(func(row scanner) (id int64, err error) {
		var epoch int64
		err = row.Scan(&epoch, &id)
		if epoch != last {
			steps, last = steps+1, epoch
		}
		return id, err
	})
	return distinct(memories), steps != now-after, err
}
