package belief

import (
	"errors"
	"maps"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Split is how one person becomes two again.
type Split struct {
	// From keeps what was not said in Rooms, To gets what was.
	From, To int64
	// Rooms is an SQL subquery that selects the IDs of the rooms whose messages go to To.
	Rooms string
	// Dates are what was known of beliefs before the two became one.
	Dates []Dates
}

// Dates are the dates of a belief, with the messages that were evidence for it.
type Dates struct {
	Messages []int64   `json:"messages"`
	From     time.Time `json:"from,omitzero"`
	To       time.Time `json:"to,omitzero"`
}

// DatesOf returns the dates of the active beliefs that only a person hears or that are about them.
func DatesOf(tx *db.Tx, person int64) (all []Dates, err error) {
	beliefs, err := db.Collect[model.Belief](tx.Query(selectToMerge, person, 0))(ScanBelief)
	if err != nil {
		return nil, err
	}
	if err := LoadEvidence(tx, beliefs); err != nil {
		return nil, err
	}
	for _, b := range beliefs {
		d := Dates{From: b.ValidFrom, To: b.ValidTo}
		for _, e := range b.Evidence {
			d.Messages = append(d.Messages, e.MessageID)
		}
		all = append(all, d)
	}
	return all, nil
}

// half is the part of a belief that rests on the messages of one side.
type half struct {
	model.Belief
	moved bool
	// twin is the ID of the other half, 0 if all evidence is on one side.
	twin int64
}

// SplitBeliefs gives person To the beliefs that rest on messages in Rooms. A belief that rests on messages of both sides
// becomes two. What one side said no longer replaces what the other said.
func SplitBeliefs(tx *db.Tx, s Split) error {
	beliefs, err := db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE b.audience_person = ?1 OR b.author_id = ?1 OR b.subject_person = ?1
		OR b.id IN (SELECT belief_id FROM belief_evidence WHERE author_id = ?1) ORDER BY b.id`, s.From))(ScanBelief)
	if err != nil {
		return err
	}
	if err := LoadEvidence(tx, beliefs); err != nil {
		return err
	}
	moved, err := s.movedMessages(tx)
	if err != nil {
		return err
	}
	halves := map[int64]half{}
	for _, b := range beliefs {
		if err := s.part(tx, b, moved, halves); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(halves)) {
		if err := s.restore(tx, halves[id], halves); err != nil {
			return err
		}
	}
	return nil
}

// movedMessages returns the messages that are evidence and go to To.
func (s Split) movedMessages(tx *db.Tx) (map[int64]bool, error) {
	ids, err := db.Collect[int64](tx.Query(`SELECT DISTINCT e.message_id FROM belief_evidence e JOIN messages m ON m.id = e.message_id
		WHERE m.room_id IN ` + s.Rooms))(db.ScanID)
	moved := make(map[int64]bool, len(ids))
	for _, id := range ids {
		moved[id] = true
	}
	return moved, err
}

// part assigns a belief to a side, or divides it.
func (s Split) part(tx *db.Tx, b model.Belief, moved map[int64]bool, halves map[int64]half) error {
	stays, goes := b, b
	stays.Evidence, goes.Evidence = nil, nil
	for _, e := range b.Evidence {
		if moved[e.MessageID] {
			goes.Evidence = append(goes.Evidence, e)
		} else {
			stays.Evidence = append(stays.Evidence, e)
		}
	}
	if len(goes.Evidence) == 0 {
		halves[b.ID] = half{Belief: stays}
		return nil
	}
	if len(stays.Evidence) == 0 {
		halves[b.ID] = half{Belief: goes, moved: true}
		return s.give(tx, b.ID)
	}
	if err := errors.Join(s.date(tx, &stays), s.date(tx, &goes)); err != nil {
		return err
	}
	id, err := insertBelief(tx, goes)
	if err != nil {
		return err
	}
	for _, e := range goes.Evidence {
		if _, err := tx.Exec(`UPDATE belief_evidence SET belief_id = ? WHERE belief_id = ? AND message_id = ?`, id, b.ID, e.MessageID); err != nil {
			return err
		}
	}
	goes.ID = id
	halves[b.ID], halves[id] = half{stays, false, id}, half{goes, true, b.ID}
	return s.give(tx, id)
}

// give makes what names From in a belief name To.
func (s Split) give(tx *db.Tx, id int64) error {
	return tx.ExecAll([]string{
		`UPDATE beliefs SET audience_person = ?2 WHERE id = ?3 AND audience_person = ?1`,
		`UPDATE beliefs SET author_id = ?2 WHERE id = ?3 AND author_id = ?1`,
		`UPDATE beliefs SET subject_person = ?2, subject_key = '#' || ?2 WHERE id = ?3 AND subject_person = ?1`,
		`UPDATE belief_evidence SET author_id = ?2 WHERE belief_id = ?3 AND author_id = ?1`,
	}, s.From, s.To, id)
}

// date gives half a belief the dates that it had before, or else those of its own evidence.
func (s Split) date(tx *db.Tx, b *model.Belief) error {
	var messages []int64
	for i, e := range b.Evidence {
		messages = append(messages, e.MessageID)
		if i == 0 || e.At.Before(b.Created) {
			b.Created = e.At
		}
	}
	for _, d := range s.Dates {
		if slices.ContainsFunc(messages, func(id int64) bool { return slices.Contains(d.Messages, id) }) {
			b.ValidFrom, b.ValidTo = d.From, d.To
			return nil
		}
	}
	in, args := db.Placeholders(messages)
	var named time.Time
	err := tx.QueryRow(`SELECT min(m.event_from) FROM memories m JOIN memory_sources s ON s.memory_id = m.id
		WHERE m.origin = 'said' AND s.message_id IN `+in, args...).Scan(db.IntoTime(&named))
	if b.ValidFrom = b.Created; !named.IsZero() {
		b.ValidFrom = named
	}
	return err
}

// restore sets what a belief is now that only its own side speaks about it.
func (s Split) restore(tx *db.Tx, h half, halves map[int64]half) error {
	b := h.Belief
	against := func(e model.Evidence) bool { return e.Stance < 0 }
	switch {
	case b.Status == model.Superseded:
		by, mine := halves[replacedOn(h, halves)]
		b.SupersededBy = by.ID
		if mine && lastSupport(b).After(lastSupport(by.Belief)) { // what made the other one newer was said on the other side
			by.Status, by.SupersededBy, by.ValidTo, by.ReplacedWhy = model.Superseded, b.ID, lastSupport(b), ChangeChanged
			if err := updateBelief(tx, by.Belief); err != nil {
				return err
			}
			b.SupersededBy = 0
		}
		if b.SupersededBy == 0 && h.Belief.SupersededBy != 0 {
			b.Status, b.ReplacedWhy, b.ValidTo = model.Active, "", time.Time{}
			s.redate(&b)
		}
	case b.Status == model.Retracted && h.twin != 0 && !slices.ContainsFunc(b.Evidence, against):
		b.Status, b.ValidTo = model.Active, time.Time{}
	case h.twin == 0:
		return nil
	}
	return updateBelief(tx, b)
}

// redate gives an active belief the end that it had before, if it had one.
func (s Split) redate(b *model.Belief) {
	for _, d := range s.Dates {
		if slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool { return slices.Contains(d.Messages, e.MessageID) }) {
			b.ValidTo = d.To
		}
	}
}

// lastSupport returns when a belief was last supported, zero if never.
func lastSupport(b model.Belief) (at time.Time) {
	for _, e := range b.Evidence {
		if e.Stance > 0 && e.At.After(at) {
			at = e.At
		}
	}
	return at
}

// replacedOn returns the belief of the same side that replaced a belief, directly or over others, 0 if there is none.
func replacedOn(h half, halves map[int64]half) int64 {
	seen := map[int64]bool{h.ID: true}
	for next := h.SupersededBy; next != 0 && !seen[next]; {
		seen[next] = true
		by, ok := halves[next]
		if !ok {
			return 0 // it is gone
		}
		if by.moved == h.moved {
			return next
		}
		if twin, ok := halves[by.twin]; ok && by.twin != h.ID && twin.moved == h.moved {
			return by.twin
		}
		next = by.SupersededBy
	}
	return 0
}
