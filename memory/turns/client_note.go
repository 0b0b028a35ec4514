package turns

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// ClientHandle returns the account of a program.
func ClientHandle(client string) channels.Handle {
	return channels.Handle{Channel: model.ClientChannel, ID: strings.ToLower(client)}
}

// ClientNote says where a program writes.
type ClientNote struct {
	Persona string
	// Client is the name of the program.
	Client string
	// Person is whom it writes about, in a room that only this person may hear. Room is a group that it writes in. One of
	// them is 0.
	Person, Room int64
}

// ClientPlace returns the room that a note goes to and the account of the program, both created if they are new. What a
// program writes is the word of its account, so hearsay about everybody else.
func (s *Store) ClientPlace(ctx context.Context, n ClientNote) (account int64, room model.Room, err error) {
	err = s.db.Write(ctx, "open a room for the notes of "+n.Client, func(tx *db.Tx) error {
		handle := ClientHandle(n.Client)
		if err := log.CreatePerson(tx, handle, n.Client, tx.NowMillis()); err != nil {
			return err
		}
		account, err = db.One(tx.QueryRow(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, handle.Channel, handle.ID), db.ScanID)
		if err != nil {
			return err
		}
		if n.Room != 0 {
			room, err = log.RoomByID(tx, n.Room)
			return err
		}
		room, err = clientRoom(tx, handle.ID, n)
		return err
	})
	return account, room, err
}

// clientRoom returns the room of a program's notes about a person.
func clientRoom(tx *db.Tx, client string, n ClientNote) (room model.Room, err error) {
	if _, err := log.Person(tx, n.Person); err != nil {
		return room, err
	}
	room, err = db.One(tx.QueryRow(log.SelectRooms+` WHERE channel = ? AND person_id = ? AND title = ? ORDER BY id`, model.ClientChannel, n.Person, n.Client), log.ScanRoom)
	if !errors.Is(err, db.ErrNotFound) {
		return room, err
	}
	// The name is unique, also after an import in which people have other ids.
	place := channels.Message{
		Room:      channels.Room{Channel: model.ClientChannel, ID: fmt.Sprintf("%s/%d-%d", client, n.Person, tx.NowMillis())},
		RoomTitle: n.Client, Direct: true, At: tx.Now,
	}
	if err := log.UpsertRoom(tx, place, n.Person); err != nil {
		return room, err
	}
	return log.RoomByAddress(tx, place.Room)
}
