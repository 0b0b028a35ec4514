package memory

import "slices"

// drop removes memories that have served their time, and returns all that went: with each its older versions, which would
// come back to life without it, and what jobs had summed up of it. Edges, tags, entities and sources go with the rows. The
// messages stay: this is fading, not forgetting, see Forget.
func (c *conn) drop(memories []placed) (gone []placed, err error) {
	if gone, err = c.withDerived(memories); err != nil {
		return nil, err
	}
	for _, m := range gone {
		if err := c.unchain(m.id); err != nil {
			return nil, err
		}
	}
	if err := c.loosen(gone); err != nil {
		return nil, err
	}
	for chunk := range slices.Chunk(gone, maxList) {
		in, args := list(idsOf(chunk))
		// What they came from stays on record with the answers made from them: forgetting one of the messages finds these.
		if _, err := c.exec(`INSERT INTO turn_item_lines (turn_id, ord, message_id) SELECT i.turn_id, i.ord, s.message_id
			FROM turn_items i JOIN memory_sources s ON s.memory_id = i.memory_id WHERE i.memory_id IN `+in+` ON CONFLICT DO NOTHING`,
			args...); err != nil {
			return nil, err
		}
		// Answers to commands that were sent have no other way back to what they show.
		if _, err := c.exec(`UPDATE outbox SET text = '' WHERE status = 'sent' AND id IN
			(SELECT outbox_id FROM outbox_sources WHERE memory_id IN `+in+`)`, args...); err != nil {
			return nil, err
		}
		for _, q := range []string{
			`UPDATE turn_items SET memory_id = NULL WHERE memory_id IN `,
			`UPDATE memories SET supersedes = NULL WHERE supersedes IN `,
			`UPDATE memories SET superseded_by = NULL WHERE superseded_by IN `,
			`DELETE FROM memories WHERE id IN `,
		} {
			if _, err := c.exec(q+in, args...); err != nil {
				return nil, err
			}
		}
	}
	if err := c.ungreetAll(gone); err != nil {
		return nil, err
	}
	return gone, c.moved(gone, ScopeRevision{Epoch: 1})
}

// withDerived adds the older versions of memories and what sums them up, and so on until nothing is added.
func (c *conn) withDerived(memories []placed) ([]placed, error) {
	all, known := slices.Clone(memories), map[int64]bool{}
	for _, m := range all {
		known[m.id] = true
	}
	for next := all; len(next) > 0; {
		var found []placed
		for chunk := range slices.Chunk(next, maxList) {
			in, args := list(idsOf(chunk))
			more, err := collect[placed](c.rows(placedColumns+`m.superseded_by IN `+in+` OR m.origin = 'inferred' AND m.id IN
				(SELECT from_id FROM memory_edges WHERE kind = 'contains' AND to_id IN `+in+`)`, slices.Concat(args, args)...))(scanPlaced)
			if err != nil {
				return nil, err
			}
			for _, m := range more {
				if !known[m.id] {
					known[m.id], found = true, append(found, m)
				}
			}
		}
		all, next = append(all, found...), found
	}
	return all, nil
}

// loosen notes the scopes of those memories that go which contained others or showed them to be wrong: these may be summed up
// again.
func (c *conn) loosen(gone []placed) error {
	holding := map[int64]bool{}
	for chunk := range slices.Chunk(idsOf(gone), maxList) {
		in, args := list(chunk)
		ids, err := collect[int64](c.rows(`SELECT DISTINCT from_id FROM memory_edges WHERE kind IN ('contains', 'contradicts')
			AND from_id IN `+in, args...))(scanID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			holding[id] = true
		}
	}
	return c.advanceEach(slices.DeleteFunc(slices.Clone(gone), func(m placed) bool { return !holding[m.id] }), ScopeRevision{Loose: 1})
}

// unchain takes a memory out of the thread of its session.
func (c *conn) unchain(id int64) error {
	_, err := c.exec(`UPDATE memories SET parent_id = (SELECT p.parent_id FROM memories p WHERE p.id = ?) WHERE parent_id = ?`, id, id)
	return err
}

func (c *conn) ungreetAll(memories []placed) error {
	byPersona := map[string][]int64{}
	for _, m := range memories {
		byPersona[m.persona] = append(byPersona[m.persona], m.id)
	}
	for persona, ids := range byPersona {
		if err := c.ungreet(persona, ids, nil); err != nil {
			return err
		}
	}
	return nil
}
