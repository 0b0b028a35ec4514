package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// SelectRooms selects the columns that ScanRoom reads.
const SelectRooms = `SELECT id, channel, room, thread, direct, person_id, title FROM rooms`

// ScanRoom scans a row of SelectRooms.
func ScanRoom(row db.Scanner) (r model.Room, err error) {
	err = row.Scan(&r.ID, &r.Channel, &r.Room.ID, &r.Thread, &r.Direct, db.IntoID(&r.PersonID), &r.Title)
	return r, err
}

// RoomByID returns a stored room in the running transaction. It fails with ErrNotFound if there is none.
func RoomByID(tx *db.Tx, id int64) (model.Room, error) {
	return db.One(tx.QueryRow(SelectRooms+` WHERE id = ?`, id), ScanRoom)
}

// RoomOfSession is RoomByID for the room of a session.
func RoomOfSession(tx *db.Tx, session int64) (model.Room, error) {
	return db.One(tx.QueryRow(SelectRooms+` WHERE id = (SELECT room_id FROM sessions WHERE id = ?)`, session), ScanRoom)
}

// RoomByAddress returns the room at a current or former address, in the running transaction.
func RoomByAddress(tx *db.Tx, r channels.Room) (model.Room, error) {
	const at = SelectRooms + ` WHERE channel = ? AND room = ? AND thread = ?`
	room, err := db.One(tx.QueryRow(at, r.Channel, r.ID, r.Thread), ScanRoom)
	if !errors.Is(err, db.ErrNotFound) {
		return room, err
	}
	now, err := db.One(tx.QueryRow(`SELECT now FROM room_moves WHERE channel = ? AND room = ?`, r.Channel, r.ID), db.ScanText)
	if err != nil {
		return model.Room{}, err
	}
	return db.One(tx.QueryRow(at, r.Channel, now, r.Thread), ScanRoom)
}

// RoomByAddress returns the stored room at a network address. It fails with ErrNotFound if the room is unknown.
func (s *Store) RoomByAddress(ctx context.Context, r channels.Room) (room model.Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("find room %s", r), func(tx *db.Tx) error {
		room, err = RoomByAddress(tx, r)
		return err
	})
	return room, err
}

// DirectRoom returns the direct room on a channel in which a person spoke last. It fails with ErrNotFound if there is
// none.
func (s *Store) DirectRoom(ctx context.Context, channel string, person int64) (room model.Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("find the direct room of person %d on %s", person, channel), func(tx *db.Tx) error {
		room, err = db.One(tx.QueryRow(`SELECT r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title
			FROM rooms r JOIN room_people p ON p.room_id = r.id AND p.person_id = r.person_id
			WHERE r.person_id = ? AND r.channel = ? AND r.direct = 1 ORDER BY p.last_spoke DESC, r.id DESC LIMIT 1`,
			person, channel), ScanRoom)
		return err
	})
	return room, err
}

// RoomByID returns a stored room. It fails with ErrNotFound if there is none.
func (s *Store) RoomByID(ctx context.Context, id int64) (room model.Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read room %d", id), func(tx *db.Tx) error {
		room, err = RoomByID(tx, id)
		return err
	})
	return room, err
}

// Rooms returns all stored rooms by ID.
func (s *Store) Rooms(ctx context.Context) (rooms []model.Room, err error) {
	err = s.db.Read(ctx, "list the rooms", func(tx *db.Tx) error {
		rooms, err = db.Collect[model.Room](tx.Query(SelectRooms + ` ORDER BY id`))(ScanRoom)
		return err
	})
	return rooms, err
}

// RoomsOn returns the addresses of the known rooms of a channel, in the order in which they were first seen.
func (s *Store) RoomsOn(ctx context.Context, channel string) (rooms []channels.Room, err error) {
	err = s.db.ReadOne(ctx, "list the rooms of "+channel, func(tx *db.Tx) error {
		rooms, err = db.Collect[channels.Room](tx.Query(`SELECT channel, room, thread FROM rooms WHERE channel = ? ORDER BY id`, channel))(scanAddress)
		return err
	})
	return rooms, err
}

// Visibility returns what persona may repeat in a room as of now. A person who first speaks in a group gains access to
// it in their direct rooms from the next Visibility on. It fails with ErrNotFound for an unknown room.
func (s *Store) Visibility(ctx context.Context, persona string, roomID int64) (h scope.Visibility, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the visibility of room %d", roomID), func(tx *db.Tx) error {
		room, err := RoomByID(tx, roomID)
		if err != nil {
			return err
		}
		h, err = scope.ReadVersioned(tx, persona, room)
		return err
	})
	return h, err
}

// VisibilityIn is Visibility for a room that was read in the same snapshot.
func (s *Store) VisibilityIn(ctx context.Context, persona string, room model.Room) (h scope.Visibility, err error) {
	err = s.db.Read(ctx, "read the visibility of a room", func(tx *db.Tx) error {
		h, err = scope.ReadVersioned(tx, persona, room)
		return err
	})
	return h, err
}

// Speakers returns the ids of the people who have spoken in a room.
func (s *Store) Speakers(ctx context.Context, room int64) (people []int64, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("list who spoke in room %d", room), func(tx *db.Tx) error {
		people, err = db.Collect[int64](tx.Query(`SELECT person_id FROM room_people WHERE room_id = ? ORDER BY person_id`, room))(db.ScanID)
		return err
	})
	return people, err
}
