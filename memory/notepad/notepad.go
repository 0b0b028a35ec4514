// Package notepad keeps what a persona notes down for itself while it talks: one short text for each person, seen in their direct
// rooms, and one for each group. It is nobody's testimony.
package notepad

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// MaxBytes is how long a notepad may be.
const MaxBytes = 4 << 10

// ErrFull reports a text that is longer.
var ErrFull = fmt.Errorf("the notepad holds at most %d bytes: write it anew, shorter", MaxBytes)

// Store keeps notepads.
type Store struct{ db *db.DB }

// New returns the notepads in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// Of returns the notepad that belongs to a room, "" if it is empty.
func (s *Store) Of(ctx context.Context, persona string, room model.Room) (text string, err error) {
	err = s.db.ReadOne(ctx, "read a notepad", func(tx *db.Tx) error {
		text, err = of(tx, persona, room)
		return err
	})
	return text, err
}

func of(tx *db.Tx, persona string, room model.Room) (string, error) {
	column, id, _ := owner(room)
	text, err := db.One(tx.QueryRow(`SELECT text FROM notepads WHERE persona = ? AND `+column+` = ?`, persona, id), db.ScanText)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return text, err
}

// owner returns whose the notepad of a room is.
func owner(room model.Room) (column string, id int64, audience model.Audience) {
	a := room.Audience()
	if a.Kind == model.Private {
		return "audience_person", a.Ref, a
	}
	return "audience_room", room.ID, a
}

// Change replaces the notepad of a room by what becomes of it; an empty text removes it. It fails with ErrFull if the text is too
// long, and then changes nothing.
func (s *Store) Change(ctx context.Context, persona string, room model.Room, to func(text string) string) (text string, err error) {
	err = s.db.Write(ctx, "write a notepad", func(tx *db.Tx) error {
		before, err := of(tx, persona, room)
		if err != nil {
			return err
		}
		if text = log.Redact(to(before)); len(text) > MaxBytes {
			return ErrFull
		}
		column, id, audience := owner(room)
		if _, err := tx.Exec(`DELETE FROM notepads WHERE persona = ? AND `+column+` = ?`, persona, id); err != nil {
			return err
		}
		if before != "" {
			if err := tx.MarkErased(); err != nil {
				return err
			}
		}
		if text == "" {
			return nil
		}
		_, err = tx.Exec(`INSERT INTO notepads (persona, audience, `+column+`, text, updated_at) VALUES (?, ?, ?, ?, ?)`, persona, audience.Kind, id, text, tx.NowMillis())
		return err
	})
	return text, err
}

// ForgetWith removes the notepads of the rooms in which messages were said: those are forgotten, and the notepad may have them.
func ForgetWith(tx *db.Tx, messages []int64) error {
	in, args := db.Placeholders(messages)
	n, err := tx.Affect(`DELETE FROM notepads WHERE audience_person IN (SELECT r.person_id FROM messages m JOIN rooms r ON r.id = m.room_id WHERE r.direct = 1 AND m.id IN `+in+`)`, args...)
	if err != nil {
		return err
	}
	more, err := tx.Affect(`DELETE FROM notepads WHERE audience_room IN (SELECT m.room_id FROM messages m WHERE m.id IN `+in+`)`, args...)
	if err != nil || n+more == 0 {
		return err
	}
	return tx.MarkErased()
}
