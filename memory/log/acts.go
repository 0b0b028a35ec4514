package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// What people do to messages that were said before. Each of these marks the act's inbox row as dealt with in the same
// transaction, so that an act is done once however often it is delivered.

// MessageByExternalID is the message that a room's network calls id, the persona's own among them, with what the persona had
// said right before it, "" for nothing. Without a thread it may be in any thread of the chat. ErrNotFound when there is
// none.
func (s *Store) MessageByExternalID(ctx context.Context, persona string, at channels.Room, id string) (m model.Message, before string, err error) {
	err = s.db.Read(ctx, "find the message "+id+" of "+at.Channel, func(tx *db.Tx) error {
		m, err = messageInRoom(tx, persona, at, id)
		if errors.Is(err, db.ErrNotFound) && at.Thread == "" {
			m, err = messageInChat(tx, persona, at, id)
		}
		if err != nil {
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

// messageInRoom is the message with that id in the room at an address.
func messageInRoom(tx *db.Tx, persona string, at channels.Room, id string) (model.Message, error) {
	room, err := RoomByAddress(tx, at)
	if err != nil {
		return model.Message{}, err
	}
	if at.ID != room.Room.ID && !room.Direct { // said before the room moved
		id = at.ID + "/" + id
	}
	return messageByExternalID(tx, persona, room.ID, id)
}

// messageInChat is the message with that id in any thread of a chat, for networks that name the chat alone and count
// its messages over all threads.
func messageInChat(tx *db.Tx, persona string, at channels.Room, id string) (m model.Message, err error) {
	threads, err := db.Collect[int64](tx.Query(`SELECT id FROM rooms WHERE channel = ? AND room = ?`, at.Channel, at.ID))(db.ScanID)
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
		AND m.id IN (SELECT message_id FROM sent_as WHERE external_id = ?) LIMIT 1`, persona, room, id), ScanMessage)
}

// Reactions are the emoji people have put to a message, by person.
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

// actOn marks an act as dealt with and reads what it is about.
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
