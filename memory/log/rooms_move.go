package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// ErrOtherAudience reports that two rooms cannot be merged because different people hear them.
var ErrOtherAudience = errors.New("the rooms have different audiences and cannot be merged")

// MoveRoom records that a network gave the room from, with all its threads, another ID. Pending texts go to the new
// address, and messages under the old ID still reach the same room. The external IDs of earlier messages are set apart
// from later ones, since the network may number anew. A room that appeared at the new ID before the move was known is
// merged. MoveRoom returns the moved rooms; none if the old ID is unknown or the move was recorded before. It fails
// with ErrOtherAudience if a room with a different audience has the new ID.
func (s *Store) MoveRoom(ctx context.Context, from channels.Room, to string) (moved []model.Room, err error) {
	if to == "" || to == from.ID {
		return nil, fmt.Errorf("move room %s: the new ID is missing or unchanged", from)
	}
	err = s.db.Write(ctx, fmt.Sprintf("move room %s", from), func(tx *db.Tx) error {
		moved, err = MoveRoom(tx, from, to)
		return err
	})
	return moved, err
}

// MoveRoom is Store.MoveRoom in the running transaction.
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
	if err := tx.ExecAll([]string{
		`DELETE FROM room_moves WHERE channel = ?1 AND room = ?3`, // the room moved back
		`UPDATE room_moves SET now = ?3 WHERE channel = ?1 AND now = ?2`,
		`INSERT INTO room_moves (channel, room, now) VALUES (?1, ?2, ?3) ON CONFLICT (channel, room) DO UPDATE SET now = excluded.now`,
	}, from.Channel, from.ID, to); err != nil {
		return nil, err
	}
	return moved, nil
}

// moveRoom gives a room its new ID and merges a room that already has it.
func moveRoom(tx *db.Tx, room model.Room, to string) error {
	if !room.Direct { // in direct rooms the network numbers messages by account, whatever the room's ID
		if err := qualifyIDs(tx, room); err != nil {
			return fmt.Errorf("qualify the old IDs of its messages: %w", err)
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
			return fmt.Errorf("merge it with room %d: %w", there.ID, err)
		}
	}
	_, err = tx.Exec(`UPDATE rooms SET room = ? WHERE id = ?`, to, room.ID)
	return err
}

// qualifyIDs prefixes the external IDs of a room's messages with the room's old address.
func qualifyIDs(tx *db.Tx, room model.Room) error {
	return tx.ExecAll([]string{
		`UPDATE messages SET external_id = ?2 || '/' || external_id WHERE room_id = ?1 AND person_id IS NOT NULL`,
		`UPDATE sent_as SET external_id = ?2 || '/' || external_id WHERE message_id IN
			(SELECT id FROM messages WHERE room_id = ?1 AND person_id IS NULL)`,
		`UPDATE outbox SET reply_to = '' WHERE room_id = ?1 AND status = 'pending'`,
	}, room.ID, room.Room.ID)
}

// mergeRooms moves all messages and knowledge of one room to another.
func mergeRooms(tx *db.Tx, into, from model.Room) error {
	if err := tx.ExecAll([]string{
		`INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke)
			SELECT ?1, person_id, first_spoke, last_spoke FROM room_people WHERE room_id = ?2
			ON CONFLICT (room_id, person_id) DO UPDATE SET last_spoke = max(room_people.last_spoke, excluded.last_spoke)`,
		`DELETE FROM room_people WHERE room_id = ?2`,
		`UPDATE rooms SET person_id = coalesce(person_id, (SELECT person_id FROM rooms WHERE id = ?2)) WHERE id = ?1`,
		`UPDATE rooms SET persona = (SELECT persona FROM rooms WHERE id = ?2) WHERE id = ?1 AND persona = ''`,
		`UPDATE pairings SET room_id = ?1 WHERE room_id = ?2`,
		AddUsage(`day, persona, person_id, ?1, job, model`, `room_id = ?2`),
		`DELETE FROM usage WHERE room_id = ?2`,
		`UPDATE reminders SET room_id = ?1 WHERE room_id = ?2`,
		`DELETE FROM notepads WHERE audience_room = ?2 AND EXISTS (SELECT 1 FROM notepads n WHERE n.persona = notepads.persona AND n.audience_room = ?1)`,
		`UPDATE notepads SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE tool_calls SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE link_codes SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE grants SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE sessions SET room_id = ?1 WHERE room_id = ?2`,
		// The same event was received under both IDs.
		`UPDATE messages SET external_id = room_id || '/' || external_id WHERE room_id = ?2 AND EXISTS
			(SELECT 1 FROM messages m WHERE m.persona = messages.persona AND m.room_id = ?1 AND m.external_id = messages.external_id)`,
		`UPDATE messages SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE outbox SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE turns SET room_id = ?1 WHERE room_id = ?2`,
		`UPDATE memories SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE checkpoint_items SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE beliefs SET audience_room = ?1 WHERE audience_room = ?2`,
		`UPDATE open_loops SET audience_room = ?1 WHERE audience_room = ?2`,
		// A job reads on from where it has read both.
		`UPDATE job_marks SET memory_id = min(memory_id, other.read), before_id = min(before_id, other.read)
			FROM (SELECT k.persona, k.job, max(CASE WHEN k.audience = 'world' OR k.audience = 'room' AND k.ref = ?2 THEN k.memory_id ELSE 0 END) AS read
				FROM job_marks k GROUP BY k.persona, k.job) other
			WHERE other.persona = job_marks.persona AND other.job = job_marks.job AND job_marks.audience = 'room' AND job_marks.ref = ?1`,
		`DELETE FROM job_marks WHERE audience = 'room' AND ref = ?2`,
		`INSERT INTO paused (persona, person_id, room_id, since) SELECT persona, person_id, ?1, since FROM paused WHERE room_id = ?2
			ON CONFLICT DO NOTHING`,
		`DELETE FROM paused WHERE room_id = ?2`,
		`INSERT INTO voice_choices (person_id, room_id, mode, at) SELECT person_id, ?1, mode, at FROM voice_choices WHERE room_id = ?2
			ON CONFLICT (person_id, room_id) DO UPDATE SET mode = excluded.mode, at = excluded.at WHERE excluded.at > voice_choices.at`,
		`DELETE FROM voice_choices WHERE room_id = ?2`,
		`UPDATE training_consents SET room_id = ?1 WHERE room_id = ?2`,
		`DELETE FROM rooms WHERE id = ?2`,
	}, into.ID, from.ID); err != nil {
		return err
	}
	// Caches of either room must be read again.
	_, err := tx.Exec(`INSERT INTO scopes (persona, audience, ref, epoch, beliefs, loose)
		SELECT DISTINCT persona, 'room', ?1, 1, 1, 1 FROM sessions WHERE room_id = ?1 OR room_id = ?2
		ON CONFLICT (persona, audience, ref) DO UPDATE SET epoch = scopes.epoch + 1, beliefs = scopes.beliefs + 1,
			loose = scopes.loose + 1`, into.ID, from.ID)
	return err
}
