package memory

import (
	"errors"
	"slices"
)

// link writes what one batch found, as far as it is still there and no other run has linked it since it was read, and how
// far it has come.
func (c *conn) link(persona string, run int64, b linkable) (done Linked, err error) {
	memory, turn, err := c.linkedUntil(persona)
	if err != nil {
		return done, err
	}
	b = b.after(memory, turn)
	done.Memories, done.Turns = len(b.memories), len(b.turns)
	if len(b.memories) > 0 {
		against, err := c.contradicting(persona, memory, b.last())
		if err != nil {
			return done, err
		}
		if done.Contradicting, err = c.joinAll(against, Contradicts, run); err != nil {
			return done, err
		}
		if done.Alike, err = c.joinAll(without(b.alike, against), RelatesTo, run); err != nil {
			return done, err
		}
		memory = b.last()
	}
	for _, t := range b.turns {
		if err := c.rehearse(t.used, &done); err != nil {
			return done, err
		}
		turn = t.id
	}
	_, err = c.exec(`INSERT INTO linked (persona, memory_id, turn_id) VALUES (?, ?, ?)
		ON CONFLICT (persona) DO UPDATE SET memory_id = excluded.memory_id, turn_id = excluded.turn_id`, persona, memory, turn)
	return done, err
}

// joinAll adds the edges of a kind between pairs, and returns how many were not there before.
func (c *conn) joinAll(pairs []pair, kind EdgeKind, run int64) (joined int, err error) {
	for _, p := range pairs {
		ok, err := c.join(Edge{From: p.a, To: p.b, Kind: kind, Weight: edgeWeights[kind], JobRun: run})
		if err != nil {
			return joined, err
		}
		if ok {
			joined++
		}
	}
	return joined, nil
}

// join adds an edge unless one of its ends is gone, or they are not heard by the same people, or it is there, either way.
func (c *conn) join(e Edge) (bool, error) {
	from, err := c.placedMemory(e.From)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := c.affect(`INSERT INTO memory_edges (from_id, to_id, kind, weight, touched_at, job_run_id)
		SELECT f.id, t.id, ?, ?, ?, ? FROM memories f JOIN memories t ON t.persona = f.persona AND t.audience = f.audience
			AND coalesce(t.audience_person, 0) = coalesce(f.audience_person, 0) AND coalesce(t.audience_room, 0) = coalesce(f.audience_room, 0)
		WHERE f.id = ? AND t.id = ? AND f.id <> t.id
			AND NOT EXISTS (SELECT 1 FROM memory_edges b WHERE b.from_id = t.id AND b.to_id = f.id AND b.kind = ?)
		ON CONFLICT (from_id, to_id, kind) DO NOTHING`,
		e.Kind, e.Weight, c.nowMS(), nullID(e.JobRun), e.From, e.To, e.Kind)
	if err != nil || n == 0 {
		return false, err
	}
	return true, c.advanceEach([]placed{from}, ScopeRevision{Edges: 1})
}

// contradictingPairs are the memories after one and up to another with those whose belief their message replaced or withdrew.
const contradictingPairs = `SELECT new.memory_id, old.memory_id FROM memory_sources new
	JOIN belief_evidence said ON said.message_id = new.message_id AND said.stance = 1
	JOIN beliefs b ON b.superseded_by = said.belief_id
	JOIN belief_evidence was ON was.belief_id = b.id AND was.stance = 1
	JOIN memory_sources old ON old.message_id = was.message_id
	JOIN memories m ON m.id = new.memory_id JOIN memories o ON o.id = old.memory_id
	WHERE new.memory_id > ? AND new.memory_id <= ? AND m.persona = ? AND m.origin = 'said' AND o.origin = 'said'
	UNION SELECT new.memory_id, old.memory_id FROM memory_sources new
	JOIN belief_evidence said ON said.message_id = new.message_id AND said.stance = -1
	JOIN belief_evidence was ON was.belief_id = said.belief_id AND was.stance = 1
	JOIN memory_sources old ON old.message_id = was.message_id
	JOIN memories m ON m.id = new.memory_id JOIN memories o ON o.id = old.memory_id
	WHERE new.memory_id > ? AND new.memory_id <= ? AND m.persona = ? AND m.origin = 'said' AND o.origin = 'said'`

// contradicting are the pairs of a memory after one and up to another, and what it showed to be wrong or past.
func (c *conn) contradicting(persona string, after, last int64) ([]pair, error) {
	return collect[pair](c.rows(contradictingPairs, after, last, persona, after, last, persona))(scanPair)
}

func scanPair(row scanner) (p pair, err error) {
	err = row.Scan(&p.a, &p.b)
	return p, err
}

// rehearse strengthens the edges between memories one reply was made from: each gains a part of what it lacks. Those that
// were dormant are awake again.
func (c *conn) rehearse(used []int64, done *Linked) error {
	if len(used) == 0 {
		return nil
	}
	in, args := list(used)
	memories, err := collect[placed](c.rows(placedColumns+`m.id IN `+in, args...))(scanPlaced)
	if err != nil {
		return err
	}
	n, err := c.affect(`UPDATE memory_edges SET weight = weight + ? * (1 - weight), uses = uses + 1, touched_at = ?
		WHERE kind <> 'merged_into' AND from_id IN `+in+` AND to_id IN `+in,
		slices.Concat([]any{strengthening, c.nowMS()}, args, args)...)
	if err != nil {
		return err
	}
	done.Strengthened += int(n)
	if n > 0 {
		if err := c.advanceEach(memories, ScopeRevision{Edges: 1}); err != nil {
			return err
		}
	}
	return c.wake(used, done)
}

// usedAsleep holds of the dormant memories m that were used after they were put to sleep: every use and every move counts
// the time a memory lasts anew, so that what ends later than its last use lets it was moved since. What never fades was
// put to sleep by hand, and wakes by hand.
const usedAsleep = `m.tier = 'dormant' AND m.forget_at <= m.recalled_at + CAST(m.lasts * m.strength AS INTEGER)`

// wake moves the memories that were used while they were dormant.
func (c *conn) wake(used []int64, done *Linked) error {
	in, args := list(used)
	asleep, err := collect[placed](c.rows(placedColumns+usedAsleep+` AND m.id IN `+in, args...))(scanPlaced)
	if err != nil || len(asleep) == 0 {
		return err
	}
	done.Woken += len(asleep)
	return c.moveTo(Short, asleep, c.now)
}
