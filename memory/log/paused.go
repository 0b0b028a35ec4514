package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// ErrPaused reports that the author of a message asked the persona not to listen.
var ErrPaused = errors.New("the author asked not to be listened to")

// SetPaused makes persona hear and keep nothing of what a person says in a room from now on, or listen again; room 0 means
// everywhere. What they said after the command with the given inbox row, and nobody took up, is deleted. Commands and
// deletions are always heard.
func (s *Store) SetPaused(ctx context.Context, persona string, person, room int64, paused bool, inbox int64) error {
	return s.db.WriteUrgent(ctx, fmt.Sprintf("pause listening to person %d", person), func(tx *db.Tx) error {
		if !paused {
			_, err := tx.Exec(`DELETE FROM paused WHERE persona = ?1 AND person_id = ?2 AND (room_id = ?3 OR ?3 = 0)`, persona, person, room)
			return err
		}
		if _, err := tx.Exec(`INSERT INTO paused (persona, person_id, room_id, since) SELECT ?1, ?2, ?3, ?4
			WHERE NOT EXISTS (SELECT 1 FROM paused WHERE persona = ?1 AND person_id = ?2 AND coalesce(room_id, 0) = ?5)`,
			persona, person, db.NullID(room), tx.NowMillis(), room); err != nil {
			return err
		}
		return dropUnheard(tx, persona, person, inbox)
	})
}

// dropUnheard deletes what a person who has just paused said after an inbox row and nobody took up.
func dropUnheard(tx *db.Tx, persona string, person, after int64) error {
	waiting, err := db.Collect[InboxEntry](tx.Query(SelectInbox+` WHERE status = 'pending' AND persona = ? AND id > ?
		AND EXISTS (SELECT 1 FROM handles h WHERE h.channel = author_channel AND h.handle = author_handle AND h.person_id = ?)`,
		persona, after, person))(ScanInboxEntry)
	if err != nil {
		return err
	}
	for _, h := range waiting {
		if paused, err := isPaused(tx, persona, h.Message); err != nil || !paused {
			if err != nil {
				return err
			}
			continue
		}
		if err := MarkInboxDone(tx, h.ID); err != nil {
			return err
		}
	}
	return nil
}

// Paused reports whether persona must not hear m because of what its author asked for.
func (s *Store) Paused(ctx context.Context, persona string, m channels.Message) (paused bool, err error) {
	err = s.db.ReadOne(ctx, "check whether somebody is listened to on "+m.Room.Channel, func(tx *db.Tx) error {
		paused, err = isPaused(tx, persona, m)
		return err
	})
	return paused, err
}

// PausedIn returns where persona does not listen to a person: everywhere, and in the room.
func (s *Store) PausedIn(ctx context.Context, persona string, person int64, room model.Room) (everywhere, here bool, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("check whether person %d is listened to", person), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FILTER (WHERE room_id IS NULL) > 0, count(*) FILTER (WHERE room_id = ?) > 0
			FROM paused WHERE persona = ? AND person_id = ?`,
			room.ID, persona, person).Scan(&everywhere, &here)
	})
	return everywhere, here, err
}

// authorPaused tells whether persona ?1 must not listen in room ?3 of channel ?2 to the author with the account ?5, or the alias ?6,
// on channel ?4.
const authorPaused = `EXISTS (SELECT 1 FROM paused p WHERE p.persona = ?1
	AND p.person_id IN (SELECT person_id FROM handles WHERE channel = ?4 AND (handle = ?5 OR handle = ?6))
	AND (p.room_id IS NULL OR p.room_id IN (SELECT id FROM rooms WHERE channel = ?2 AND room = ?3)))`

// isPaused is Store.Paused in the running transaction. A pause in a group covers all its threads.
func isPaused(tx *db.Tx, persona string, m channels.Message) (paused bool, err error) {
	if !heedsPause(m) {
		return false, nil
	}
	err = tx.QueryRow(`SELECT `+authorPaused, persona, m.Room.Channel, m.Room.ID,
		m.Author.Handle.Channel, m.Author.Handle.ID, m.Author.Alias).Scan(&paused)
	return paused, err
}

// heedsPause reports whether a pause covers an event: commands and deletions are always heard.
func heedsPause(m channels.Message) bool {
	_, _, command := m.Command()
	return !command && m.Action != channels.Delete && m.Action != channels.Move && m.Proactive == ""
}
