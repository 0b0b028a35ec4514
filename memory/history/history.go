// Package history knows how memories, beliefs and the number of what was forgotten changed over time. It reads the store once
// and then answers for any moment without it, fast enough to be drawn while somebody moves through a year. It is for
// operators, never for what is said in a room.
package history

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
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
func (s *Store) Timeline(ctx context.Context, persona string) (*Timeline, error) {
	var t *Timeline
	err := s.db.Read(ctx, "read the history of "+persona, func(tx *db.Tx) (err error) {
		t = &Timeline{}
		events, err := readEvents(tx, persona)
		if err != nil {
			return fmt.Errorf("what changed in memories: %w", err)
		}
		if t.Lives, err = readLives(tx, persona, s.db.Decay(), events); err != nil {
			return fmt.Errorf("memories: %w", err)
		}
		if t.Beliefs, err = readBeliefs(tx, persona); err != nil {
			return fmt.Errorf("beliefs: %w", err)
		}
		t.forgotten, err = readForgotten(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.Complete, err = s.db.HistorySince(ctx)
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

// readEvents returns the recorded changes of persona's memories, each list in the order of time.
func readEvents(tx *db.Tx, persona string) (map[int64][]event, error) {
	events := map[int64][]event{}
	_, err := db.Collect[int64](tx.Query(`SELECT id, at, what, gain, was FROM (
		SELECT m.id, t.ended_at AS at, 'used' AS what, 0.0 AS gain, '' AS was FROM turns t JOIN turn_items i ON i.turn_id = t.id AND i.used = 1
			JOIN memories m ON m.id = i.memory_id WHERE m.persona = ?1 GROUP BY m.id, t.id
		UNION ALL SELECT m.id, j.started_at, 'reinforced', r.gain, '' FROM rehearsals r JOIN job_runs j ON j.id = r.job_run_id
			JOIN memories m ON m.id = r.memory_id WHERE m.persona = ?1
		UNION ALL SELECT m.id, e.at, CASE e.kind WHEN 'tier' THEN 'moved' ELSE 'pinned' END, 0.0, e.was FROM memory_events e
			JOIN memories m ON m.id = e.memory_id WHERE m.persona = ?1 AND e.kind <> 'expires')
		ORDER BY id, at`, persona))(func(row db.Scanner) (id int64, err error) {
		var e event
		if err = row.Scan(&id, &e.at, &e.change, &e.gain, &e.was); err == nil {
			events[id] = append(events[id], e)
		}
		return id, err
	})
	return events, err
}

func readLives(tx *db.Tx, persona string, decay model.DecayModel, events map[int64][]event) ([]Life, error) {
	rates := decay.RatesOf(persona)
	return db.Collect[Life](tx.Query(`SELECT m.id, coalesce(m.author_id, 0), m.audience, m.audience_person, m.audience_room, m.kind, m.sector,
		m.salience, m.created_at, coalesce(m.stored_at, m.created_at), (SELECT coalesce(n.stored_at, n.created_at) FROM memories n
			WHERE n.id = m.superseded_by), m.expires_at, m.tier, m.pinned, m.strength
		FROM memories m WHERE m.persona = ? ORDER BY m.id`, persona))(func(row db.Scanner) (l Life, err error) {
		var person, room int64
		var created time.Time
		var now phase
		var audience model.AudienceKind
		if err = row.Scan(&l.ID, &l.Author, &audience, db.IntoID(&person), db.IntoID(&room), &l.Kind, &l.Sector, &l.Salience, db.IntoTime(&created),
			db.IntoTime(&l.Stored), db.IntoTime(&l.Replaced), db.IntoTime(&l.Expires), &now.tier, &now.pinned, &now.strength); err != nil {
			return l, err
		}
		l.Audience = scope.IntoAudience(audience, person, room)
		l.unfold(created, now, rates[l.Sector], events[l.ID])
		return l, nil
	})
}

func readBeliefs(tx *db.Tx, persona string) ([]Held, error) {
	return db.Collect[Held](tx.Query(`SELECT x.id, coalesce(x.subject_person, 0), coalesce(p.name, x.subject), x.relation, x.value, x.audience,
		x.audience_person, x.audience_room, coalesce(x.stored_at, x.created_at), `+db.BeliefEnd+`
		FROM beliefs x LEFT JOIN people p ON p.id = x.subject_person WHERE x.persona = ? ORDER BY x.id`, persona))(
		func(row db.Scanner) (h Held, err error) {
			var person, room int64
			var audience model.AudienceKind
			err = row.Scan(&h.ID, &h.Person, &h.Subject, &h.Relation, &h.Value, &audience, db.IntoID(&person), db.IntoID(&room),
				db.IntoTime(&h.Stored), db.IntoTime(&h.Ended))
			h.Audience = scope.IntoAudience(audience, person, room)
			return h, err
		})
}

// readForgotten returns when memories were erased, a time for each.
func readForgotten(tx *db.Tx) (times []int64, err error) {
	_, err = db.Collect[int64](tx.Query(`SELECT at, json_array_length(memories) FROM erasures WHERE memories <> '[]' ORDER BY at`))(
		func(row db.Scanner) (at int64, err error) {
			var n int
			if err = row.Scan(&at, &n); err == nil {
				times = append(times, slices.Repeat([]int64{at}, n)...)
			}
			return at, err
		})
	return times, err
}
