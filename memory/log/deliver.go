package log

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// Delivery is a message as one persona receives it.
type Delivery struct {
	Persona string
	Message channels.Message
}

// Deliver stores an event for each persona that receives it, all or none, and reports whether it is new. An event that
// was stored before, for any persona among known, is not stored again: whom it is for was decided then. It is not stored for
// a persona that its author asked not to listen; if that is the first, which it is for, the error is ErrPaused, and the
// others have it.
func (s *Store) Deliver(ctx context.Context, known []string, to ...Delivery) (fresh bool, err error) {
	payloads := make([]string, len(to))
	for i, d := range to {
		if payloads[i], err = EncodePayload(d.Message); err != nil {
			return false, fmt.Errorf("accept message %q in %s: %w", d.Message.ID, d.Message.Room.Channel, err)
		}
	}
	stored := make([]int64, len(to))
	var before bool
	err = s.db.WriteUrgent(ctx, "accept a message for several personas", func(tx *db.Tx) (err error) {
		clear(stored)
		if len(known) == 1 {
			known = nil // the insert finds it
		}
		for _, persona := range known {
			if before, err = hasEvent(tx, persona, to[0].Message.Room, to[0].Message.ID); err != nil || before {
				return err
			}
		}
		for i, d := range to {
			if err := tx.AffectLater(&stored[i], intoInbox, inboxRow(tx, d.Persona, d.Message, payloads[i], heedsPause(d.Message))...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	fresh = slices.Max(stored) > 0
	if before || stored[0] > 0 {
		return fresh, nil
	}
	// What is stored is delivered. An error here would have it sent again, and nobody told of it then.
	if paused, err := s.Paused(ctx, to[0].Persona, to[0].Message); err == nil && paused {
		return fresh, ErrPaused
	}
	return fresh, nil
}

// hasEvent reports whether the inbox has an event for persona.
func hasEvent(tx *db.Tx, persona string, room channels.Room, id string) (yes bool, err error) {
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM inbox WHERE persona = ? AND channel = ? AND room = ? AND thread = ? AND event_id = ?)`,
		persona, room.Channel, room.ID, room.Thread, id).Scan(&yes)
	return yes, err
}

// InboxPersonas returns the personas that have messages in the inbox, answered ones included, by key.
func (s *Store) InboxPersonas(ctx context.Context) (keys []string, err error) {
	err = s.db.Read(ctx, "list the personas of the inbox", func(tx *db.Tx) error {
		// SQLite would read the whole index for DISTINCT; this takes one step per persona.
		keys, err = db.Collect[string](tx.Query(`WITH RECURSIVE found(persona) AS (SELECT min(persona) FROM inbox UNION ALL
			SELECT (SELECT min(i.persona) FROM inbox i WHERE i.persona > found.persona) FROM found WHERE found.persona IS NOT NULL)
			SELECT persona FROM found WHERE persona IS NOT NULL ORDER BY persona`))(db.ScanText)
		return err
	})
	return keys, err
}

// ReceivedBy returns those of the personas that received, or said, the message with that network ID in a room.
func (s *Store) ReceivedBy(ctx context.Context, personas []string, at channels.Room, id string) (by []string, err error) {
	err = s.db.Read(ctx, "find who received a message on "+at.Channel, func(tx *db.Tx) error {
		by = nil
		for _, persona := range personas {
			known, err := hasEvent(tx, persona, at, id)
			if err == nil && !known {
				_, err = messageAt(tx, persona, at, id)
				known = err == nil
			}
			if err != nil && !errors.Is(err, db.ErrNotFound) {
				return err
			}
			if known {
				by = append(by, persona)
			}
		}
		return nil
	})
	return by, err
}

// PendingRoom is a room with messages that wait for a persona.
type PendingRoom struct {
	Persona string
	Room    channels.Room
	// Messages is how many wait.
	Messages int
}

// PendingOfAll returns the rooms with messages that wait for any persona, the longest-waiting first.
func (s *Store) PendingOfAll(ctx context.Context) (rooms []PendingRoom, err error) {
	err = s.db.Read(ctx, "list rooms with unanswered messages", func(tx *db.Tx) error {
		rooms, err = db.Collect[PendingRoom](tx.Query(`SELECT persona, channel, room, thread, count(*) FROM inbox
			WHERE status = 'pending' GROUP BY persona, channel, room, thread ORDER BY MIN(id)`))(func(row db.Scanner) (w PendingRoom, err error) {
			err = row.Scan(&w.Persona, &w.Room.Channel, &w.Room.ID, &w.Room.Thread, &w.Messages)
			return w, err
		})
		return err
	})
	return rooms, err
}

// ChoosePersona records which persona the person of a direct room talks with from now on. "" leaves it to the
// configuration. It fails with ErrNotFound if there is no such direct room.
func (s *Store) ChoosePersona(ctx context.Context, room int64, persona string) error {
	return s.db.Write(ctx, fmt.Sprintf("choose the persona of room %d", room), func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE rooms SET persona = ? WHERE id = ? AND direct = 1`, persona, room)
		if err == nil && n == 0 {
			err = fmt.Errorf("direct room %d: %w", room, db.ErrNotFound)
		}
		return err
	})
}

// ChosenPersonas returns the personas that people chose for their direct rooms.
func (s *Store) ChosenPersonas(ctx context.Context) (map[channels.Room]string, error) {
	chosen := map[channels.Room]string{}
	err := s.db.Read(ctx, "read which personas people chose", func(tx *db.Tx) error {
		_, err := db.Collect[string](tx.Query(`SELECT channel, room, thread, persona FROM rooms WHERE persona <> ''`))(
			func(row db.Scanner) (persona string, err error) {
				var r channels.Room
				if err = row.Scan(&r.Channel, &r.ID, &r.Thread, &persona); err == nil {
					chosen[r] = persona
				}
				return persona, err
			})
		return err
	})
	return chosen, err
}

// SaidBy returns the one of the personas that said the message with that network ID in a room, "" for none of them.
func (s *Store) SaidBy(ctx context.Context, personas []string, at channels.Room, id string) (by string, err error) {
	err = s.db.Read(ctx, "find who said a message on "+at.Channel, func(tx *db.Tx) error {
		for _, persona := range personas {
			m, err := messageAt(tx, persona, at, id)
			switch {
			case errors.Is(err, db.ErrNotFound):
			case err != nil:
				return err
			case m.PersonID == 0:
				by = persona
				return nil
			}
		}
		return nil
	})
	return by, err
}
