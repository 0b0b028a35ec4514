package lifecycle

import (
	"cmp"
	"slices"
	"strings"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// link writes the results for one batch, as far as they are still valid and no other run has written them, and moves
// the cursor.
func link(tx *db.Tx, persona string, run int64, b linkInput) (done LinkResult, err error) {
	memory, turn, err := linkedUntil(tx, persona)
	if err != nil {
		return done, err
	}
	b = b.after(memory, turn)
	done.Memories, done.Turns = len(b.memories), len(b.turns)
	if len(b.memories) > 0 {
		against, err := contradictingWithin(tx, persona, memory, b.last())
		if err != nil {
			return done, err
		}
		if done.Contradicting, err = AddEdges(tx, against, model.Contradicts, run); err != nil {
			return done, err
		}
		if done.Alike, err = AddEdges(tx, without(b.alike, against), model.RelatesTo, run); err != nil {
			return done, err
		}
		memory = b.last()
	}
	for _, t := range b.turns {
		if err := reinforce(tx, t.used, &done); err != nil {
			return done, err
		}
		turn = t.id
	}
	_, err = tx.Exec(`INSERT INTO linked (persona, memory_id, turn_id) VALUES (?, ?, ?)
		ON CONFLICT (persona) DO UPDATE SET memory_id = excluded.memory_id, turn_id = excluded.turn_id`, persona, memory, turn)
	return done, err
}

// AddEdges adds edges of a kind between pairs and returns how many are new.
func AddEdges(tx *db.Tx, pairs []recall.Pair, kind model.EdgeKind, run int64) (joined int, err error) {
	var ends []scope.MemoryRef
	for _, p := range pairs {
		from, ok, err := addNewEdge(tx, model.Edge{From: p.A, To: p.B, Kind: kind, Weight: model.EdgeWeights[kind], JobRun: run})
		if err != nil {
			return joined, err
		}
		if ok {
			joined, ends = joined+1, append(ends, from)
		}
	}
	by := model.ScopeRevision{Edges: 1}
	if kind == model.Contradicts {
		by.Unclustered = 1
	}
	return joined, AdvanceEach(tx, ends, by)
}

// addNewEdge adds an edge, unless a memory is gone, the audiences differ, or the edge exists in either direction.
func addNewEdge(tx *db.Tx, e model.Edge) (from scope.MemoryRef, joined bool, err error) {
	from, err = entry.Locate(tx, e.From)
	if err != nil {
		return from, false, ignoreNotFound(err)
	}
	n, err := tx.Affect(`INSERT INTO memory_edges (from_id, to_id, kind, weight, touched_at, job_run_id)
		SELECT f.id, t.id, ?, ?, ?, ? FROM memories f JOIN memories t ON t.persona = f.persona AND t.audience = f.audience
			AND coalesce(t.audience_person, 0) = coalesce(f.audience_person, 0) AND coalesce(t.audience_room, 0) = coalesce(f.audience_room, 0)
		WHERE f.id = ? AND t.id = ? AND f.id <> t.id
			AND NOT EXISTS (SELECT 1 FROM memory_edges b WHERE b.from_id = t.id AND b.to_id = f.id AND b.kind = ?)
		ON CONFLICT (from_id, to_id, kind) DO NOTHING`,
		e.Kind, e.Weight, tx.NowMillis(), db.NullID(e.JobRun), e.From, e.To, e.Kind)
	return from, n > 0, err
}

// contradictedBy are the SQL queries for messages that replaced or retracted belief b.
var contradictedBy = []string{
	`said.stance = 1 AND b.superseded_by = said.belief_id`,
	`said.stance = -1 AND b.id = said.belief_id`,
}

// ContradictingPairs returns the pairs of memories of which one showed the other to be wrong or past and one was said
// in the given messages. Summaries are left out, because nobody said them.
func ContradictingPairs(tx *db.Tx, messages []int64) (pairs []recall.Pair, err error) {
	for chunk := range slices.Chunk(db.Distinct(messages), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		var selects []string
		var all []any
		for _, evidence := range contradictedBy {
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
		more, err := db.Collect[recall.Pair](tx.Query(strings.Join(selects, " UNION "), all...))(recall.ScanPair)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(more, func(a, b recall.Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
		pairs = append(pairs, more...)
	}
	return pairs, nil
}

// contradictingWithin returns the contradicting pairs of memories after one and up to another. Few memories are
// evidence of a belief, and only those are read.
func contradictingWithin(tx *db.Tx, persona string, after, last int64) ([]recall.Pair, error) {
	messages, err := db.Collect[int64](tx.Query(`SELECT DISTINCT s.message_id FROM memory_sources s JOIN memories m ON m.id = s.memory_id
		WHERE s.memory_id > ? AND s.memory_id <= ? AND m.persona = ? AND m.origin <> 'inferred'
			AND EXISTS (SELECT 1 FROM belief_evidence e WHERE e.message_id = s.message_id)`, after, last, persona))(db.ScanID)
	if err != nil {
		return nil, err
	}
	return ContradictingPairs(tx, messages)
}

// reinforce strengthens the edges between the memories one reply was made from and wakes dormant ones among them. Each
// edge gains a share of what it lacks.
func reinforce(tx *db.Tx, used []int64, done *LinkResult) error {
	if len(used) == 0 {
		return nil
	}
	in, args := db.Placeholders(used)
	memories, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.id IN `+in, args...))(scope.ScanMemoryRef)
	if err != nil {
		return err
	}
	n, err := tx.Affect(`UPDATE memory_edges SET weight = weight + ? * (1 - weight), uses = uses + 1, touched_at = ?
		WHERE kind <> 'merged_into' AND from_id IN `+in+` AND to_id IN `+in,
		slices.Concat([]any{edgeGain, tx.NowMillis()}, args, args)...)
	if err != nil {
		return err
	}
	done.Strengthened += int(n)
	if n > 0 {
		if err := AdvanceEach(tx, memories, model.ScopeRevision{Edges: 1}); err != nil {
			return err
		}
	}
	return wake(tx, used, done)
}

// usedWhileDormant is the SQL condition that dormant memory m was used since it became dormant. Each use and each move
// restarts the fading time, so an end later than the last use allows means a move since. A memory that never fades was
// made dormant by the operator and is woken only by the operator.
const usedWhileDormant = `m.tier = 'dormant' AND m.forget_at <= m.recalled_at + CAST(m.lasts * m.strength AS INTEGER)`

// wake moves memories that were used while dormant out of the dormant tier.
func wake(tx *db.Tx, used []int64, done *LinkResult) error {
	in, args := db.Placeholders(used)
	asleep, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+usedWhileDormant+` AND m.id IN `+in, args...))(scope.ScanMemoryRef)
	if err != nil || len(asleep) == 0 {
		return err
	}
	done.Woken += len(asleep)
	return moveTo(tx, model.Short, asleep, tx.Now)
}
