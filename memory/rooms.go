package memory

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
)

const roomColumns = `SELECT id, channel, room, thread, direct, person_id, title FROM rooms`

func scanRoom(row scanner) (r Room, err error) {
	err = row.Scan(&r.ID, &r.Channel, &r.Room.ID, &r.Thread, &r.Direct, intoID(&r.PersonID), &r.Title)
	return r, err
}

// unclaimed says that it is the direct room of a stranger nobody has let in.
func (r Room) unclaimed() bool { return r.Direct && r.PersonID == 0 }

func (c *conn) roomByID(id int64) (Room, error) {
	return one(c.row(roomColumns+` WHERE id = ?`, id), scanRoom)
}

// roomOf is the room at an address, be it one that the room had before.
func (c *conn) roomOf(r channels.Room) (Room, error) {
	const at = roomColumns + ` WHERE channel = ? AND room = ? AND thread = ?`
	room, err := one(c.row(at, r.Channel, r.ID, r.Thread), scanRoom)
	if !errors.Is(err, ErrNotFound) {
		return room, err
	}
	now, err := one(c.row(`SELECT now FROM room_moves WHERE channel = ? AND room = ?`, r.Channel, r.ID), scanText)
	if err != nil {
		return Room{}, err
	}
	return one(c.row(at, r.Channel, now, r.Thread), scanRoom)
}

// RoomOf is the stored room of a network's room; ErrNotFound when nobody has entered it.
func (s *Store) RoomOf(ctx context.Context, r channels.Room) (room Room, err error) {
	err = s.read(ctx, fmt.Sprintf("find room %s", r), func(tx *conn) error {
		room, err = tx.roomOf(r)
		return err
	})
	return room, err
}

// DirectRoom is the direct room on a channel in which a person has spoken last; ErrNotFound when there is none.
func (s *Store) DirectRoom(ctx context.Context, channel string, person int64) (room Room, err error) {
	err = s.read(ctx, fmt.Sprintf("find the direct room of person %d on %s", person, channel), func(tx *conn) error {
		room, err = one(tx.row(`SELECT r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title
			FROM rooms r JOIN room_people p ON p.room_id = r.id AND p.person_id = r.person_id
			WHERE r.person_id = ? AND r.channel = ? AND r.direct = 1 ORDER BY p.last_spoke DESC, r.id DESC LIMIT 1`,
			person, channel), scanRoom)
		return err
	})
	return room, err
}

// RoomByID is a stored room; ErrNotFound when there is none.
func (s *Store) RoomByID(ctx context.Context, id int64) (room Room, err error) {
	err = s.read(ctx, fmt.Sprintf("read room %d", id), func(tx *conn) error {
		room, err = tx.roomByID(id)
		return err
	})
	return room, err
}

// Rooms are all rooms the store knows, by id.
func (s *Store) Rooms(ctx context.Context) (rooms []Room, err error) {
	err = s.read(ctx, "list the rooms", func(tx *conn) error {
		rooms, err = collect[Room](tx.rows(roomColumns + ` ORDER BY id`))(scanRoom)
		return err
	})
	return rooms, err
}

// RoomsOn are the rooms of a channel that are known, in the order they were met.
func (s *Store) RoomsOn(ctx context.Context, channel string) (rooms []channels.Room, err error) {
	err = s.readOne(ctx, "list the rooms of "+channel, func(tx *conn) error {
		rooms, err = collect[channels.Room](tx.rows(`SELECT channel, room, thread FROM rooms WHERE channel = ? ORDER BY id`, channel))(scanAddress)
		return err
	})
	return rooms, err
}
