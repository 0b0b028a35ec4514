package memory

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
)

// MoveRoom notes that a network gave the room from another id, with all its threads: what waits to be said goes there,
// and whatever still comes under the old id belongs to the same room. Ids that the network gave to messages before are
// no longer taken for those of later ones, since it may count anew. What was heard under the new id before the move was
// known is joined with the rest. It returns the rooms as they are now; none when nothing is known of the old id, or the
// move was noted before.
func (s *Store) MoveRoom(ctx context.Context, from channels.Room, to string) (moved []Room, err error) {
	if to == "" || to == from.ID {
		return nil, fmt.Errorf("move room %s/%s to %q: a room moves to another id", from.Channel, from.ID, to)
	}
	err = s.write(ctx, fmt.Sprintf("move room %s/%s", from.Channel, from.ID), func(tx *conn) error {
		moved, err = tx.moveRoom(from, to)
		return err
	})
	return moved, err
}

func (c *conn) moveRoom(from channels.Room, to string) (moved []Room, err error) {
	old, err := collect[Room](c.rows(roomColumns+` WHERE channel = ? AND room = ? ORDER BY id`, from.Channel, from.ID))(scanRoom)
	if err != nil {
		return nil, err
	}
	for _, room := range old {
		if err := c.moveOne(room, to); err != nil {
			return nil, err
		}
		room.Room.ID = to
		moved = append(moved, room)
	}
	for _, q := range []string{
		`DELETE FROM room_moves WHERE channel = ?1 AND room = ?3`, // back where it was
		`UPDATE room_moves SET now = ?3 WHERE channel = ?1 AND now = ?2`,
		`INSERT INTO room_moves (channel, room, now) VALUES (?1, ?2, ?3) ON CONFLICT (channel, room) DO UPDATE SET now = excluded.now`,
	} {
		if _, err := c.exec(q, from.Channel, from.ID, to); err != nil {
			return nil, err
		}
	}
	return moved, nil
}

// moveOne gives a room its new id, taking in what stands there already.
func (c *conn) moveOne(room Room, to string) error {
	if err := c.outdateIDs(room); err != nil {
		return fmt.Errorf("set its messages' old ids apart: %w", err)
	}
	there, err := one(c.row(roomColumns+` WHERE channel = ? AND room = ? AND thread = ?`, room.Channel, to, room.Thread), scanRoom)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return err
	case there.Audience().Kind != room.Audience().Kind:
		return fmt.Errorf("%s and %s are heard by others: their talk cannot become one", room.Room.ID, to)
	default:
		if err := c.joinRooms(room, there); err != nil {
			return fmt.Errorf("join it with room %d: %w", there.ID, err)
		}
	}
	_, err = c.exec(`UPDATE rooms SET room = ? WHERE id = ?`, to, room.ID)
	return err
}

// outdateIDs marks the network's ids of a room's messages as of its old address.
func (c *conn) outdateIDs(room Room) error {
	for _, q := range []string{
		`UPDATE messages SET external_id = ?2 || '/' || external_id WHERE room_id = ?1 AND person_id IS NOT NULL`,
		`UPDATE sent_as SET external_id = ?2 || '/' || external_id WHERE message_id IN
			(SELECT id FROM messages WHERE room_id = ?1 AND person_id IS NULL)`,
		`UPDATE outbox SET reply_to = '' WHERE room_id = ?1 AND status = 'pending' AND ?2 <> ''`,
	} {
		if _, err := c.exec(q, room.ID, room.Room.ID); err != nil {
			return err
		}
	}
	return nil
}

// joinRooms makes all that was heard and learned in one room the other's.
func (c *conn) joinRooms(into, from Room) error {
	for _, q := range []string{
		`INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke)
			SELECT ?1, person_id, first_spoke, last_spoke FROM room_people WHERE room_id = ?2
			ON CONFLICT (room_id, person_id) DO UPDATE SET last_spoke = max(last_spoke, excluded.last_spoke)`,
		`DELETE FROM room_people WHERE room_id = ?2 AND ?1 > 0`,
		`UPDATE sessions SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE messages SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE outbox SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE turns SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE memories SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE beliefs SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE open_loops SET audience_room = ?1 WHERE audience_room = ?2`,
		`DELETE FROM rooms WHERE id = ?2 AND ?1 > 0`,
	} {
		if _, err := c.exec(q, into.ID, from.ID); err != nil {
			return err
		}
	}
	// What is kept in memory of either is read again.
	_, err := c.exec(`INSERT INTO scopes (persona, audience, ref, epoch, beliefs)
		SELECT DISTINCT persona, 'room', ?1, 1, 1 FROM sessions WHERE room_id = ?1 OR room_id = ?2
		ON CONFLICT (persona, audience, ref) DO UPDATE SET epoch = scopes.epoch + 1, beliefs = scopes.beliefs + 1`, into.ID, from.ID)
	return err
}
