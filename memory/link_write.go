package memory

import (
	"slices"
	"strings"
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
		against, err := c.contradictingWithin(persona, memory, b.last())
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
	var ends []placed
	for _, p := range pairs {
		from, ok, err := c.join(Edge{From: p.a, To: p.b, Kind: kind, Weight: edgeWeights[kind], JobRun: run})
		if err != nil {
			return joined, err
		}
		if ok {
			joined, ends = joined+1, append(ends, from)
		}
	}
	by := ScopeRevision{Edges: 1}
	if kind == Contradicts {
		by.Loose = 1
	}
	return joined, c.advanceEach(ends, by)
}

// join adds an edge unless one of its ends is gone, or they are not heard by the same people, or it is there, either way.
func (c *conn) join(e Edge) (from placed, joined bool, err error) {
	from, err = c.placedMemory(e.From)
	if err != nil {
		return from, false, notThere(err)
	}
	n, err := c.affect(`INSERT INTO memory_edges (from_id, to_id, kind, weight, touched_at, job_run_id)
		SELECT f.id, t.id, ?, ?, ?, ? FROM memories f JOIN memories t ON t.persona = f.persona AND t.audience = f.audience
			AND coalesce(t.audience_person, 0) = coalesce(f.audience_person, 0) AND coalesce(t.audience_room, 0) = coalesce(f.audience_room, 0)
		WHERE f.id = ? AND t.id = ? AND f.id <> t.id
			AND NOT EXISTS (SELECT 1 FROM memory_edges b WHERE b.from_id = t.id AND b.to_id = f.id AND b.kind = ?)
		ON CONFLICT (from_id, to_id, kind) DO NOTHING`,
		e.Kind, e.Weight, c.nowMS(), nullID(e.JobRun), e.From, e.To, e.Kind)
	return from, n > 0, err
}

// contradicted are how what was said replaced or withdrew a belief b.
var contradicted = []string{
	`said.stance = 1 AND b.superseded_by = said.belief_id`,
	`said.stance = -1 AND b.id = said.belief_id`,
}

// contradicting are the pairs of memories of which one showed the other to be wrong or past, where one of them was said in
// messages. Summaries are nobody's words.
func (c *conn) contradicting(messages []int64) (pairs []pair, err error) {
	for chunk := range slices.Chunk(distinct(messages), maxList) {
		in, args := list(chunk)
		var selects []string
		var all []any
		for _, evidence := range contradicted {
			for _, written := range []string{"new", "old"} {
				selects = append(selects, `SELECT new.memory_id, old.memory_id FROM belief_evidence said JOIN beliefs b ON `+evidence+`
					JOIN belief_evidence was ON was.belief_id = b.id AND +was.stance = 1
					JOIN memory_sources new ON new.message_id = said.message_id JOIN memory_sources old ON old.message_id = was.message_id
					JOIN memories m ON m.id = new.memory_id AND m.origin <> 'inferred'
					JOIN memories o ON o.id = old.memory_id AND o.origin <> 'inferred'
					WHERE `+written+`.message_id IN `+in)
				all = append(all, args...)
			}
		}
		more, err := collect[pair](c.rows(strings.Join(selects, " UNION "), all...))(scanPair)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, more...)
	}
	return pairs, nil
}

// contradictingWithin are the contradicting pairs of memories after one and up to another. Few of them are evidence of
// anything: only those are looked at.
func (c *conn) contradictingWithin(persona string, after, last int64) ([]pair, error) {
	messages, err := collect[int64](c.rows(`SELECT DISTINCT s.message_id FROM memory_sources s JOIN memories m ON m.id = s.memory_id
		WHERE s.memory_id > ? AND s.memory_id <= ? AND m.persona = ? AND m.origin <> 'inferred'
			AND EXISTS (SELECT 1 FROM belief_evidence e WHERE e.message_id = s.message_id)`, after, last, persona))(scanID)
	if err != nil {
		return nil, err
	}
	return c.contradicting(messages)
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
