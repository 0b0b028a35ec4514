package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/recall"
)

const (
	// linkReadLimit is how many memories or turns are read together, so that everything new in a scope is compared with
	// the rest at once. linkBatch is how many of them one transaction links: a turn waits behind it for a few
	// milliseconds.
	linkReadLimit = 10_000
	linkBatch     = 200
)

// LinkResult counts what linking did.
type LinkResult struct {
	// Memories and Turns were read. Alike and Contradicting are new edges, Strengthened edges whose memories were
	// recalled together, Woken dormant memories that were recalled.
	Memories, Turns, Alike, Contradicting, Strengthened, Woken int
}

// String describes the counts in words, for the job ledger.
func (l LinkResult) String() string {
	if l == (LinkResult{}) {
		return "nothing new"
	}
	return fmt.Sprintf("read %d memories and %d turns: linked %d similar and %d contradicting, strengthened %d, woke %d",
		l.Memories, l.Turns, l.Alike, l.Contradicting, l.Strengthened, l.Woken)
}

// Link links persona's memories written since the last call to similar ones and to those they contradict. It
// strengthens the edges between memories that one reply was made from, and wakes dormant ones among these. The edges it
// makes carry run. It reads while turns go on and writes in small transactions, each of which moves the cursor:
// concurrent runs share the work, and a cancelled run leaves the rest to the next.
func (s *Store) Link(ctx context.Context, persona string, run int64) (l LinkResult, err error) {
	for {
		batch, err := s.linkInput(ctx, persona)
		if err != nil || batch.empty() {
			return l, err
		}
		for part := range batch.parts {
			var done LinkResult
			err := s.db.Write(ctx, "link similar memories", func(tx *db.Tx) error {
				done, err = link(tx, persona, run, part)
				return err
			})
			if err != nil {
				return l, err
			}
			l.add(done)
		}
		if !batch.full() {
			return l, nil
		}
	}
}

func (l *LinkResult) add(more LinkResult) {
	l.Memories += more.Memories
	l.Turns += more.Turns
	l.Alike += more.Alike
	l.Contradicting += more.Contradicting
	l.Strengthened += more.Strengthened
	l.Woken += more.Woken
}

// linkInput is one batch of linking.
type linkInput struct {
	memories []model.Memory
	// alike are pairs of a new memory and an older one, in order of the new ones.
	alike []recall.Pair
	turns []usedTurn
}

// after returns the part of the batch after a memory and a turn.
func (b linkInput) after(memory, turn int64) linkInput {
	b.memories = slices.DeleteFunc(slices.Clone(b.memories), func(m model.Memory) bool { return m.ID <= memory })
	b.alike = slices.DeleteFunc(slices.Clone(b.alike), func(p recall.Pair) bool { return p.A <= memory })
	b.turns = slices.DeleteFunc(slices.Clone(b.turns), func(t usedTurn) bool { return t.id <= turn })
	return b
}

// last returns the id of the last memory, 0 when there is none.
func (b linkInput) last() int64 {
	if len(b.memories) == 0 {
		return 0
	}
	return b.memories[len(b.memories)-1].ID
}

func (b linkInput) empty() bool { return len(b.memories)+len(b.turns) == 0 }

// full reports whether there may be more than the batch holds.
func (b linkInput) full() bool { return max(len(b.memories), len(b.turns)) == linkReadLimit }

// usedTurn is a turn with the memories its reply was made from.
type usedTurn struct {
	id   int64
	used []int64
}

// parts yields the batch in pieces of linkBatch.
func (b linkInput) parts(yield func(linkInput) bool) {
	for !b.empty() {
		memories, turns := min(linkBatch, len(b.memories)), min(linkBatch, len(b.turns))
		part := linkInput{memories: b.memories[:memories], turns: b.turns[:turns]}
		pairs := 0
		for pairs < len(b.alike) && b.alike[pairs].A <= part.last() {
			pairs++
		}
		part.alike = b.alike[:pairs]
		b = linkInput{memories: b.memories[memories:], turns: b.turns[turns:], alike: b.alike[pairs:]}
		if !yield(part) {
			return
		}
	}
}

// linkInput reads what was written since the last linking, with the memories similar to the new ones.
func (s *Store) linkInput(ctx context.Context, persona string) (b linkInput, err error) {
	err = s.db.Read(ctx, "read what is new", func(tx *db.Tx) error {
		memory, turn, err := linkedUntil(tx, persona)
		if err != nil {
			return err
		}
		if b.memories, err = unlinkedMemories(tx, persona, memory); err != nil {
			return err
		}
		b.turns, err = usedTurns(tx, persona, turn)
		return err
	})
	if err == nil {
		b.alike, err = s.recall.Similar(ctx, b.memories)
	}
	return b, err
}

// unlinkedMemories returns the next memories after one.
func unlinkedMemories(tx *db.Tx, persona string, after int64) ([]model.Memory, error) {
	return db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.persona = ? AND m.id > ? ORDER BY m.id LIMIT ? + 0`,
		persona, after, linkReadLimit))(entry.ScanMemory)
}

// unlinkedPairs returns the pairs that the next Link would link.
func (s *Store) unlinkedPairs(tx *db.Tx, persona string) (pairs []recall.Pair, err error) {
	memory, _, err := linkedUntil(tx, persona)
	for err == nil {
		var b linkInput
		if b.memories, err = unlinkedMemories(tx, persona, memory); err != nil || len(b.memories) == 0 {
			break
		}
		if b.alike, err = s.recall.SimilarIn(tx, b.memories); err != nil {
			break
		}
		for part := range b.parts {
			against, err := contradictingWithin(tx, persona, memory, part.last())
			if err != nil {
				return nil, err
			}
			pairs = append(pairs, without(part.alike, against)...)
			memory = part.last()
		}
	}
	return pairs, err
}

// without returns the pairs that are not among others, in either direction.
func without(pairs, others []recall.Pair) []recall.Pair {
	return slices.DeleteFunc(pairs, func(p recall.Pair) bool {
		return slices.Contains(others, p) || slices.Contains(others, recall.Pair{A: p.B, B: p.A})
	})
}

// linkedUntil returns the cursor of linking.
func linkedUntil(tx *db.Tx, persona string) (memory, turn int64, err error) {
	err = tx.QueryRow(`SELECT coalesce(max(memory_id), 0), coalesce(max(turn_id), 0) FROM linked WHERE persona = ?`, persona).Scan(&memory, &turn)
	return memory, turn, err
}

// usedTurns returns the next turns, each with the memories its reply was made from.
func usedTurns(tx *db.Tx, persona string, after int64) (turns []usedTurn, err error) {
	_, err = db.Collect[int64](tx.Query(`SELECT t.id, i.memory_id FROM (SELECT id FROM turns WHERE persona = ? AND id > ? ORDER BY id LIMIT ? + 0) t
		LEFT JOIN turn_items i ON i.turn_id = t.id AND i.used = 1 AND i.memory_id IS NOT NULL ORDER BY t.id, i.ord`,
		persona, after, linkReadLimit))(func(row db.Scanner) (id int64, err error) {
		var memory int64
		if err = row.Scan(&id, db.IntoID(&memory)); err != nil {
			return id, err
		}
		if len(turns) == 0 || turns[len(turns)-1].id != id {
			turns = append(turns, usedTurn{id: id})
		}
		if last := &turns[len(turns)-1]; memory != 0 && !slices.Contains(last.used, memory) {
			last.used = append(last.used, memory)
		}
		return id, nil
	})
	return turns, err
}
