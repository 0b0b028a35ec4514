package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

const SelectRooms = `SELECT id, channel, room, thread, direct, person_id, title FROM rooms`

func ScanRoom(row db.Scanner) (r model.Room, err error) {
	err = row.Scan(&r.ID, &r.Channel, &r.Room.ID, &r.Thread, &r.Direct, db.IntoID(&r.PersonID), &r.Title)
	return r, err
}

func RoomByID(tx *db.Tx, id int64) (model.Room, error) {
	return db.One(tx.QueryRow(SelectRooms+` WHERE id = ?`, id), ScanRoom)
}

// roomOf is the room at an address, be it one that the room had before.
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

// RoomByAddress is the stored room of a network's room; ErrNotFound when nobody has entered it.
func (s *Store) RoomByAddress(ctx context.Context, r channels.Room) (room model.Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("find room %s", r), func(tx *db.Tx) error {
		room, err = RoomByAddress(tx, r)
		return err
	})
	return room, err
}

// DirectRoom is the direct room on a channel in which a person has spoken last; ErrNotFound when there is none.
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

// RoomByID is a stored room; ErrNotFound when there is none.
func (s *Store) RoomByID(ctx context.Context, id int64) (room model.Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read room %d", id), func(tx *db.Tx) error {
		room, err = RoomByID(tx, id)
		return err
	})
	return room, err
}

// Rooms are all rooms the store knows, by id.
func (s *Store) Rooms(ctx context.Context) (rooms []model.Room, err error) {
	err = s.db.Read(ctx, "list the rooms", func(tx *db.Tx) error {
		rooms, err = db.Collect[model.Room](tx.Query(SelectRooms + ` ORDER BY id`))(ScanRoom)
		return err
	})
	return rooms, err
}

// RoomsOn are the rooms of a channel that are known, in the order they were met.
func (s *Store) RoomsOn(ctx context.Context, channel string) (rooms []channels.Room, err error) {
	err = s.db.ReadOne(ctx, "list the rooms of "+channel, func(tx *db.Tx) error {
		rooms, err = db.Collect[channels.Room](tx.Query(`SELECT channel, room, thread FROM rooms WHERE channel = ? ORDER BY id`, channel))(scanAddress)
		return err
	})
	return rooms, err
}
