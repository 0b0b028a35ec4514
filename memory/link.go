package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/memory/lexical"
)

const (
	// linkBatch is how many memories or turns are looked at between two writes, linkAtOnce how many in one run: what is left
	// the next one takes.
	linkBatch  = 200
	linkAtOnce = 5000
	// linkWithin is how many of the nearest memories are compared with a new one, linkAtMostEach how many of them it is
	// joined to.
	linkWithin     = 16
	linkAtMostEach = 5
	// kinShare is which share of the longer one's terms two memories must both hold to be joined, kinLeast how many.
	kinShare = 0.5
	kinLeast = 2
)

// Linked counts what linking did.
type Linked struct {
	// Memories and Turns were looked at; Alike and Contradicting are the edges made, Strengthened those whose memories were
	// recalled together, Woken the dormant memories that were recalled.
	Memories, Turns, Alike, Contradicting, Strengthened, Woken int
}

// String says the counts in words, for the ledger.
func (l Linked) String() string {
	if l == (Linked{}) {
		return "nothing new"
	}
	return fmt.Sprintf("looked at %d memories and %d turns: joined %d alike and %d contradicting, strengthened %d, woke %d",
		l.Memories, l.Turns, l.Alike, l.Contradicting, l.Strengthened, l.Woken)
}

// Link joins persona's memories written since it last ran to what is alike and to what they contradict, and strengthens the
// edges between memories that replies since were made from together; such a memory that was dormant then is awake again. Edges
// it makes carry run. It reads beside the turns and writes in small transactions, each of which moves the mark of how far it
// has come: runs side by side share the work.
func (s *Store) Link(ctx context.Context, persona string, run int64) (l Linked, err error) {
	for l.Memories+l.Turns < linkAtOnce {
		var batch linkable
		err := s.read(ctx, "look for what is alike", func(tx *conn) error {
			memory, turn, err := tx.linkedUntil(persona)
			if err == nil {
				batch, err = s.readLinkable(tx, persona, memory, turn)
			}
			return err
		})
		if err != nil || batch.empty() {
			return l, err
		}
		var done Linked
		err = s.write(ctx, "join what is alike", func(tx *conn) error {
			done, err = tx.link(persona, run, batch)
			return err
		})
		if err != nil {
			return l, err
		}
		l.add(done)
	}
	return l, nil
}

func (l *Linked) add(more Linked) {
	l.Memories += more.Memories
	l.Turns += more.Turns
	l.Alike += more.Alike
	l.Contradicting += more.Contradicting
	l.Strengthened += more.Strengthened
	l.Woken += more.Woken
}

// linkable is what one batch of linking has in hand.
type linkable struct {
	memories []Memory
	// alike are pairs of a new memory and an older one.
	alike []pair
	turns []usedTurn
}

// after is what of the batch comes after a memory and a turn.
func (b linkable) after(memory, turn int64) linkable {
	b.memories = slices.DeleteFunc(slices.Clone(b.memories), func(m Memory) bool { return m.ID <= memory })
	b.alike = slices.DeleteFunc(slices.Clone(b.alike), func(p pair) bool { return p.a <= memory })
	b.turns = slices.DeleteFunc(slices.Clone(b.turns), func(t usedTurn) bool { return t.id <= turn })
	return b
}

// last is the number of the last memory, 0 when there is none.
func (b linkable) last() int64 {
	if len(b.memories) == 0 {
		return 0
	}
	return b.memories[len(b.memories)-1].ID
}

func (b linkable) empty() bool { return len(b.memories)+len(b.turns) == 0 }

// usedTurn is a turn with the memories its reply was made from.
type usedTurn struct {
	id   int64
	used []int64
}

// readLinkable reads what was written after a memory and a turn, and finds what the new memories are alike to.
func (s *Store) readLinkable(tx *conn, persona string, memory, turn int64) (b linkable, err error) {
	if b.memories, err = collect[Memory](tx.rows(memoryColumns+` WHERE m.persona = ? AND m.id > ? ORDER BY m.id LIMIT ? + 0`,
		persona, memory, linkBatch))(scanMemory); err != nil {
		return b, err
	}
	for _, m := range b.memories {
		alike, err := s.alikeTo(tx, m)
		if err != nil {
			return b, err
		}
		b.alike = append(b.alike, alike...)
	}
	b.turns, err = tx.usedTurns(persona, turn)
	return b, err
}

// unlinked are the pairs that the next Link would join.
func (s *Store) unlinked(tx *conn, persona string) (pairs []pair, err error) {
	memory, turn, err := tx.linkedUntil(persona)
	for seen := 0; err == nil && seen < linkAtOnce; seen += linkBatch {
		var b linkable
		if b, err = s.readLinkable(tx, persona, memory, turn); err != nil || len(b.memories) == 0 {
			break
		}
		against, err := tx.contradictingWithin(persona, memory, b.last())
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, without(b.alike, against)...)
		memory = b.last()
	}
	return pairs, err
}

// without are the pairs that are not among others, either way round.
func without(pairs, others []pair) []pair {
	return slices.DeleteFunc(pairs, func(p pair) bool {
		return slices.Contains(others, p) || slices.Contains(others, pair{p.b, p.a})
	})
}

// linkedUntil is how far linking has read.
func (c *conn) linkedUntil(persona string) (memory, turn int64, err error) {
	err = c.row(`SELECT coalesce(max(memory_id), 0), coalesce(max(turn_id), 0) FROM linked WHERE persona = ?`, persona).Scan(&memory, &turn)
	return memory, turn, err
}

// usedTurns are the next turns, each with what its reply was made from.
func (c *conn) usedTurns(persona string, after int64) (turns []usedTurn, err error) {
	_, err = collect[int64](c.rows(`SELECT t.id, i.memory_id FROM (SELECT id FROM turns WHERE persona = ? AND id > ? ORDER BY id LIMIT ? + 0) t
		LEFT JOIN turn_items i ON i.turn_id = t.id AND i.used = 1 AND i.memory_id IS NOT NULL ORDER BY t.id, i.ord`,
		persona, after, linkBatch))(func(row scanner) (id int64, err error) {
		var memory int64
		if err = row.Scan(&id, intoID(&memory)); err != nil {
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

// alikeTo finds the older memories of its scope that a memory is alike to, the most alike first. What was said in passing
// is alike to nothing.
func (s *Store) alikeTo(tx *conn, m Memory) ([]pair, error) {
	if m.Tier == Sensory || m.SupersededBy != 0 || !m.Kind.Recalled() {
		return nil, nil
	}
	gist := lexical.GistOf(m.Text)
	terms := distinctTerms(gist, m.Text)
	if len(terms) < kinLeast {
		return nil, nil
	}
	r, err := s.reach(tx, Hearing{persona: m.Persona, audiences: []Audience{m.Audience}})
	if err != nil {
		return nil, err
	}
	type near struct {
		id    int64
		share float64
	}
	var found []near
	for _, id := range r.scopes[0].nearest(m) {
		text, err := one(tx.row(`SELECT text FROM memories WHERE id = ? AND tier <> 'sensory'`, id), scanText)
		if errors.Is(err, ErrNotFound) {
			continue // said in passing, or gone since the index was read
		}
		if err != nil {
			return nil, err
		}
		if share := kinship(terms, distinctTerms(gist, text)); share >= kinShare {
			found = append(found, near{id, share})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.share, a.share) })
	var pairs []pair
	for _, n := range found[:min(linkAtMostEach, len(found))] {
		pairs = append(pairs, pair{m.ID, n.id})
	}
	return pairs, nil
}

// nearest are the older memories of the scope that match a memory's words best.
func (x *scopeIndex) nearest(m Memory) (ids []int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	younger := func(_, ordinal int) bool { e := x.entries[ordinal]; return e.memory == 0 || e.memory >= m.ID }
	for _, match := range lexical.Search([]*lexical.Index{x.words}, lexical.Query{Text: m.Text, Limit: linkWithin, Skip: younger}) {
		ids = append(ids, x.entries[match.Ordinal].memory)
	}
	return ids
}

// distinctTerms are the content terms of text, read as of, each once.
func distinctTerms(of lexical.Gist, text string) []string {
	terms := of.Terms(text)
	slices.Sort(terms)
	return slices.Compact(terms)
}

// kinship is which share of the longer one's terms both hold, 0 for fewer than kinLeast.
func kinship(a, b []string) float64 {
	both := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			both++
		}
	}
	if both < kinLeast {
		return 0
	}
	return float64(both) / float64(max(len(a), len(b)))
}
