package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// before is what cannot be told from the messages of a person's network, as it was before they were linked. It holds no
// words.
type before struct {
	Relationships  []model.Relationship
	Timezone       string
	TimezoneSet    time.Time
	Blocked        time.Time
	Created        time.Time
	OperatorRooms  []int64 // where the operator's notes about them are
	WithoutSources []int64 // memories private to them that rest on no message
	Dates          []belief.Dates
}

// Join makes two people one, as `/link` does, for the operator, and has a persona tell them so in the same transaction. It
// fails with ErrSameNetwork if both have an account on one network, and with ErrNotFound for an unknown person.
func (s *Store) Join(ctx context.Context, into, from int64, persona string, notices ...Notice) error {
	return s.db.Write(ctx, fmt.Sprintf("link person %d with person %d", from, into), func(tx *db.Tx) error {
		if err := Join(tx, into, from); err != nil {
			return err
		}
		return tell(tx, persona, fmt.Sprintf("link-%d-%d-%d", into, from, tx.NowMillis()), notices)
	})
}

// Join is Store.Join in the running transaction. Person from is no more afterwards.
func Join(tx *db.Tx, into, from int64) error {
	var networks []string
	for _, person := range []int64{into, from} {
		theirs, err := channelsOf(tx, person)
		if err != nil {
			return err
		}
		if len(theirs) == 0 {
			return fmt.Errorf("person %d: %w", person, db.ErrNotFound)
		}
		if slices.Contains(theirs, turns.OperatorChannel) {
			return errors.New("the operator's own account cannot be linked")
		}
		networks = append(networks, theirs...)
	}
	slices.Sort(networks)
	if into == from || len(slices.Compact(slices.Clone(networks))) < len(networks) {
		return ErrSameNetwork
	}
	for _, person := range []int64{into, from} {
		if err := remember(tx, person); err != nil {
			return fmt.Errorf("record what person %d is before the link: %w", person, err)
		}
	}
	return turns.MergePeople(tx, into, from)
}

// channelsOf returns the networks on which a person has accounts.
func channelsOf(tx *db.Tx, person int64) ([]string, error) {
	return db.Collect[string](tx.Query(`SELECT DISTINCT channel FROM handles WHERE person_id = ? ORDER BY channel`, person))(db.ScanText)
}

// remember records a person as a part of a linked person unless they are one already.
func remember(tx *db.Tx, person int64) error {
	parts, err := partsOf(tx, person)
	if err != nil || len(parts) > 0 {
		return err
	}
	networks, err := channelsOf(tx, person)
	if err != nil {
		return err
	}
	var was []byte
	if len(networks) == 1 { // of several that were never linked here, nobody knows which is whose
		b, err := beforeOf(tx, person)
		if err != nil {
			return err
		}
		if was, err = json.Marshal(b); err != nil {
			return err
		}
	}
	for _, network := range networks {
		if _, err := tx.Exec(`INSERT INTO link_parts (person_id, channel, linked_at, before) VALUES (?, ?, ?, ?)`,
			person, network, tx.NowMillis(), string(was)); err != nil {
			return err
		}
	}
	return nil
}

// partsOf returns the recorded networks of a linked person, each with what was before.
func partsOf(tx *db.Tx, person int64) (map[string]before, error) {
	parts := map[string]before{}
	_, err := db.Collect[string](tx.Query(`SELECT channel, before FROM link_parts WHERE person_id = ?`, person))(func(row db.Scanner) (channel string, err error) {
		var text string
		if err := row.Scan(&channel, &text); err != nil {
			return "", err
		}
		var b before
		if text != "" {
			err = json.Unmarshal([]byte(text), &b)
		}
		parts[channel] = b
		return channel, err
	})
	return parts, err
}

func beforeOf(tx *db.Tx, person int64) (b before, err error) {
	p, err := log.Person(tx, person)
	if err != nil {
		return before{}, err
	}
	b = before{Timezone: p.Timezone, TimezoneSet: p.TimezoneSetAt, Blocked: p.BlockedAt, Created: p.Created}
	if b.Relationships, err = turns.Relationships(tx, person); err != nil {
		return before{}, err
	}
	if b.Dates, err = belief.DatesOf(tx, person); err != nil {
		return before{}, err
	}
	b.OperatorRooms, err = db.Collect[int64](tx.Query(`SELECT id FROM rooms WHERE person_id = ? AND channel = ? ORDER BY id`, person, turns.OperatorChannel))(db.ScanID)
	if err != nil {
		return before{}, err
	}
	b.WithoutSources, err = db.Collect[int64](tx.Query(`SELECT id FROM memories m WHERE audience_person = ?
		AND NOT EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id) ORDER BY id`, person))(db.ScanID)
	return b, err
}
