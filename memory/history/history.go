// Package history knows how memories, beliefs and the number of what was forgotten changed over time. It reads the store once
// and then answers for any moment without it, fast enough to be drawn while somebody moves through a year. It is for
// operators, never for what is said in a room.
package history

import (
	"context"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Store reads the history of one memory.
type Store struct {
	db *db.DB
}

// New returns the history of the memories in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// Timeline is the history of one persona up to now. It does not change and is safe for concurrent use.
type Timeline struct {
	// Complete is since when everything is on record, zero for from the beginning. Of earlier times the tiers and pins are
	// those of then.
	Complete time.Time
	// Lives are the memories that are left, oldest first; Beliefs the beliefs that are left.
	Lives   []Life
	Beliefs []Held
	// forgotten holds when memories were forgotten, in order.
	forgotten []int64
}

// Held is a belief with the time while it held.
type Held struct {
	ID, Person               int64
	Subject, Relation, Value string
	Audience                 model.Audience
	// Stored is when the store learned it, Ended when it took note that it no longer holds, zero while it does.
	Stored, Ended time.Time
	// Memory is the one in which it was first said, 0 if that is gone or was not looked for: only Store.Held does.
	Memory int64
}

// At reports whether the belief held at a time.
func (h Held) At(t time.Time) bool {
	return !t.Before(h.Stored) && (h.Ended.IsZero() || t.Before(h.Ended))
}

// Counts sums up a moment.
type Counts struct {
	// Memories counts those that were there, by Freshness.
	Memories [Dormant + 1]int
	// Beliefs counts those that held, Forgotten the memories that were forgotten on purpose by then.
	Beliefs, Forgotten int
}

// Timeline reads the history of persona.
func (s *Store) Timeline(ctx context.Context, persona string) (t *Timeline, err error) {
	t = &Timeline{}
	t.Complete, err = s.Walk(ctx, persona, Visit{
		Life: func(l *Life) { t.Lives = append(t.Lives, *l) },
		Held: func(h *Held) { t.Beliefs = append(t.Beliefs, *h) },
		Forgotten: func(at time.Time, memories int) {
			t.forgotten = append(t.forgotten, slices.Repeat([]int64{at.UnixMilli()}, memories)...)
		},
	})
	return t, err
}

// Life returns the life of a memory, nil if it is not left.
func (t *Timeline) Life(memory int64) *Life {
	i, found := slices.BinarySearchFunc(t.Lives, memory, func(l Life, id int64) int { return int(min(max(l.ID-id, -1), 1)) })
	if !found {
		return nil
	}
	return &t.Lives[i]
}

// At appends the states of the memories that were there at a time to into, oldest memory first, and returns it: a caller
// that draws one moment after another passes the same slice again, emptied.
func (t *Timeline) At(at time.Time, into []State) []State {
	for i := range t.Lives {
		if s, there := t.Lives[i].At(at); there {
			into = append(into, s)
		}
	}
	return into
}

// Counts sums up a moment.
func (t *Timeline) Counts(at time.Time) (c Counts) {
	for i := range t.Lives {
		if s, there := t.Lives[i].At(at); there {
			c.Memories[s.Freshness()]++
		}
	}
	for _, h := range t.Beliefs {
		if h.At(at) {
			c.Beliefs++
		}
	}
	c.Forgotten, _ = slices.BinarySearch(t.forgotten, at.UnixMilli()+1)
	return c
}
