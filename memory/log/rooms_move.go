package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// ErrOtherAudience says that two rooms cannot become one, because others hear them.
var ErrOtherAudience = errors.New("the rooms are heard by others: their talk cannot become one")

// MoveRoom notes that a network gave the room from another id, with all its threads: what waits to be said goes there,
// and whatever still comes under the old id belongs to the same room. Ids that the network gave to messages before are
// no longer taken for those of later ones, since it may count anew. What was heard under the new id before the move was
// known is joined with the rest. It returns the rooms as they are now; none when nothing is known of the old id, or the
// move was noted before. It fails with ErrOtherAudience where a room with other hearers stands at the new id.
func (s *Store) MoveRoom(ctx context.Context, from channels.Room, to string) (moved []model.Room, err error) {
	if to == "" || to == from.ID {
		return nil, fmt.Errorf("move room %s: a room moves to another id", from)
	}
	err = s.db.Write(ctx, fmt.Sprintf("move room %s", from), func(tx *db.Tx) error {
		moved, err = MoveRoom(tx, from, to)
		return err
	})
	return moved, err
}

func MoveRoom(tx *db.Tx, from channels.Room, to string) (moved []model.Room, err error) {
	old, err := db.Collect[model.Room](tx.Query(SelectRooms+` WHERE channel = ? AND room = ? ORDER BY id`, from.Channel, from.ID))(ScanRoom)
	if err != nil {
		return nil, err
	}
	for _, room := range old {
		if err := moveRoom(tx, room, to); err != nil {
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
		if _, err := tx.Exec(q, from.Channel, from.ID, to); err != nil {
			return nil, err
		}
	}
	return moved, nil
}

// moveRoom gives a room its new id, taking in what stands there already.
func moveRoom(tx *db.Tx, room model.Room, to string) error {
	if !room.Direct { // there the network counts messages by account, whatever it calls that
		if err := qualifyIDs(tx, room); err != nil {
			return fmt.Errorf("set its messages' old ids apart: %w", err)
		}
	}
	there, err := db.One(tx.QueryRow(SelectRooms+` WHERE channel = ? AND room = ? AND thread = ?`, room.Channel, to, room.Thread), ScanRoom)
	switch {
	case errors.Is(err, db.ErrNotFound):
	case err != nil:
		return err
	case there.Direct != room.Direct, there.PersonID != room.PersonID && !there.Unclaimed() && !room.Unclaimed():
		return ErrOtherAudience
	default:
		if err := mergeRooms(tx, room, there); err != nil {
			return fmt.Errorf("join it with room %d: %w", there.ID, err)
		}
	}
	_, err = tx.Exec(`UPDATE rooms SET room = ? WHERE id = ?`, to, room.ID)
	return err
}

// qualifyIDs marks the network's ids of a room's messages as of its old address.
func qualifyIDs(tx *db.Tx, room model.Room) error {
	for _, q := range []string{
		`UPDATE messages SET external_id = ?2 || '/' || external_id WHERE room_id = ?1 AND person_id IS NOT NULL`,
		`UPDATE sent_as SET external_id = ?2 || '/' || external_id WHERE message_id IN
			(SELECT id FROM messages WHERE room_id = ?1 AND person_id IS NULL)`,
		`UPDATE outbox SET reply_to = '' WHERE room_id = ?1 AND status = 'pending' AND ?2 <> ''`,
	} {
		if _, err := tx.Exec(q, room.ID, room.Room.ID); err != nil {
			return err
		}
	}
	return nil
}

// mergeRooms makes all that was heard and learned in one room the other's.
func mergeRooms(tx *db.Tx, into, from model.Room) error {
	for _, q := range []string{
		`INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke)
			SELECT ?1, person_id, first_spoke, last_spoke FROM room_people WHERE room_id = ?2
			ON CONFLICT (room_id, person_id) DO UPDATE SET last_spoke = max(last_spoke, excluded.last_spoke)`,
		`DELETE FROM room_people WHERE room_id = ?2 AND ?1 > 0`,
		`UPDATE rooms SET person_id = coalesce(person_id, (SELECT person_id FROM rooms WHERE id = ?2)) WHERE id = ?1`,
		`UPDATE pairings SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE sessions SET room_id = ?1 WHERE room_id = ?2`,
		// The same event was heard under both ids.
		`UPDATE messages SET external_id = room_id || '/' || external_id WHERE room_id = ?2 AND EXISTS
			(SELECT 1 FROM messages m WHERE m.persona = messages.persona AND m.room_id = ?1 AND m.external_id = messages.external_id)`,
		`UPDATE messages SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE outbox SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE turns SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE memories SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE beliefs SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE open_loops SET audience_room = ?1 WHERE audience_room = ?2`,
		`DELETE FROM rooms WHERE id = ?2 AND ?1 > 0`,
	} {
		if _, err := tx.Exec(q, into.ID, from.ID); err != nil {
			return err
		}
	}
	// What is kept in memory of either is read again.
	_, err := tx.Exec(`INSERT INTO scopes (persona, audience, ref, epoch, beliefs, loose)
		SELECT DISTINCT persona, 'room', ?1, 1, 1, 1 FROM sessions WHERE room_id = ?1 OR room_id = ?2
		ON CONFLICT (persona, audience, ref) DO UPDATE SET epoch = scopes.epoch + 1, beliefs = scopes.beliefs + 1,
			loose = scopes.loose + 1`, into.ID, from.ID)
	return err
}
