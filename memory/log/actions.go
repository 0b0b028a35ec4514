package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Actions on earlier messages. Each marks the action's inbox entry as done in the same transaction, so that an action
// takes effect once, however often it is delivered.

// MessageByExternalID returns the message, of a person or of the persona, to which the network of a room gave id.
// before is the persona's text right before it in the session, "" if there is none. If at has no thread, all threads of
// the chat are searched. It fails with ErrNotFound if there is no such message.
func (s *Store) MessageByExternalID(ctx context.Context, persona string, at channels.Room, id string) (m model.Message, before string, err error) {
	err = s.db.Read(ctx, "find message "+id+" on "+at.Channel, func(tx *db.Tx) error {
		if m, err = messageAt(tx, persona, at, id); err != nil {
			return err
		}
		before, err = db.One(tx.QueryRow(`SELECT CASE WHEN person_id IS NULL THEN text ELSE '' END FROM messages
			WHERE session_id = ? AND id < ? ORDER BY id DESC LIMIT 1`, m.SessionID, m.ID), db.ScanText)
		if errors.Is(err, db.ErrNotFound) {
			err = nil
		}
		return err
	})
	return m, before, err
}

// messageAt finds the message with that external ID in a room, or in any thread of the chat if at has none.
func messageAt(tx *db.Tx, persona string, at channels.Room, id string) (model.Message, error) {
	m, err := messageInRoom(tx, persona, at, id)
	if errors.Is(err, db.ErrNotFound) && at.Thread == "" {
		m, err = messageInChat(tx, persona, at, id)
	}
	return m, err
}

// messageInRoom finds the message with that external ID in the room at an address.
func messageInRoom(tx *db.Tx, persona string, at channels.Room, id string) (model.Message, error) {
	room, err := RoomByAddress(tx, at)
	if err != nil {
		return model.Message{}, err
	}
	if at.ID != room.Room.ID && !room.Direct { // the message is older than the room's move
		id = at.ID + "/" + id
	}
	return messageByExternalID(tx, persona, room.ID, id)
}

// messageInChat finds the message in any thread of a chat, for networks that name only the chat and number its messages
// across all threads.
func messageInChat(tx *db.Tx, persona string, at channels.Room, id string) (m model.Message, err error) {
	threads, err := db.Collect[int64](tx.Query(`SELECT id FROM rooms WHERE channel = ? AND room = ? ORDER BY thread`, at.Channel, at.ID))(db.ScanID)
	if err != nil {
		return m, err
	}
	for _, room := range threads {
		if m, err = messageByExternalID(tx, persona, room, id); !errors.Is(err, db.ErrNotFound) {
			return m, err
		}
	}
	return model.Message{}, db.ErrNotFound
}

func messageByExternalID(tx *db.Tx, persona string, room int64, id string) (model.Message, error) {
	m, err := db.One(tx.QueryRow(SelectMessages+` WHERE m.persona = ? AND m.room_id = ? AND m.external_id = ?`, persona, room, id), ScanMessage)
	if !errors.Is(err, db.ErrNotFound) {
		return m, err
	}
	return db.One(tx.QueryRow(SelectMessages+` WHERE m.persona = ? AND m.room_id = ?
		AND m.id IN (SELECT message_id FROM sent_as WHERE external_id = ?) ORDER BY m.id LIMIT 1`, persona, room, id), ScanMessage)
}

// Reactions returns the emoji that people put on a message, ordered by person.
func (s *Store) Reactions(ctx context.Context, message int64) (all []model.Reaction, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read the reactions to message %d", message), func(tx *db.Tx) error {
		all, err = db.Collect[model.Reaction](tx.Query(`SELECT message_id, person_id, emoji, at FROM reactions WHERE message_id = ? ORDER BY person_id`, message))(
			func(row db.Scanner) (r model.Reaction, err error) {
				err = row.Scan(&r.Message, &r.Person, &r.Emoji, db.IntoTime(&r.At))
				return r, err
			})
		return err
	})
	return all, err
}

// ResolveAction marks the inbox entry of an action as done and returns the message and room it concerns.
func ResolveAction(tx *db.Tx, inbox, message int64) (m model.Message, room model.Room, err error) {
	if err := MarkInboxDone(tx, inbox); err != nil {
		return m, room, err
	}
	if m, err = db.One(tx.QueryRow(SelectMessages+` WHERE m.id = ?`, message), ScanMessage); err != nil {
		return m, room, err
	}
	room, err = RoomByID(tx, m.RoomID)
	return m, room, err
}
