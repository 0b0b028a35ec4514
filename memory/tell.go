package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory/understand"
)

// The operator is somebody with an account of their own: what they tell of a person is kept as their word, like anything
// that somebody says of another.
const (
	// OperatorChannel is the channel of the operator's account and of the rooms in which they tell of people.
	OperatorChannel = "operator"
	// OperatorName is what the operator is called where it is said whose word something is.
	OperatorName = "the operator"
)

// Tell stores what the operator tells of one person, whom n is private to, and learns from it: n as a memory, and what
// reading claims of anybody named as beliefs on the operator's word. That is hearsay to the person's own. It refuses what
// is not private; lore for everybody is for Remember.
func (s *Store) Tell(ctx context.Context, n NewMemory, reading understand.Analysis) (m Memory, err error) {
	n.Origin = Told
	err = s.write(ctx, "tell "+n.Persona, func(tx *conn) error {
		if n.Audience.Kind != Private {
			return errors.New("what is told of a person is private to them")
		}
		id, err := tx.tell(n, reading)
		if err == nil {
			m, err = tx.memory(id)
		}
		return err
	})
	return m, err
}

func (c *conn) tell(n NewMemory, reading understand.Analysis) (int64, error) {
	id, err := c.remember(n)
	if err != nil {
		return 0, err
	}
	operator, room, err := c.operatorsRoom(n.Audience.Ref)
	if err != nil {
		return 0, fmt.Errorf("find where the operator tells of person %d: %w", n.Audience.Ref, err)
	}
	r := recording{conn: c, turn: Turn{Persona: n.Persona, Room: room}, audience: n.Audience, first: c.now, last: c.now}
	if err := r.openSession(); err != nil {
		return 0, err
	}
	message, fresh, err := r.say(operator, fmt.Sprintf("told-%d-%s", id, noteID(n.Text, c.now)), "", n.Text, c.now, time.Time{})
	if err == nil && !fresh {
		err = errors.New("the same was told at the same moment: tell it again")
	}
	if err != nil {
		return 0, err
	}
	if _, err := c.exec(`INSERT INTO memory_sources (memory_id, message_id) VALUES (?, ?)`, id, message); err != nil {
		return 0, err
	}
	if err := r.learnFromTold(operator, message, reading, c.now); err != nil {
		return 0, err
	}
	if err := r.noteSession(); err != nil {
		return 0, err
	}
	_, err = c.exec(`UPDATE sessions SET ended_at = ?, class = ? WHERE id = ?`, c.nowMS(), Routine, r.done.SessionID)
	return id, err
}

// learnFromTold takes in what is claimed of anybody but the operator.
func (r *recording) learnFromTold(operator, message int64, reading understand.Analysis, at time.Time) error {
	reading.Claims = slices.DeleteFunc(slices.Clone(reading.Claims), func(c understand.Claim) bool { return c.Subject == "" })
	said := HeardMessage{
		PersonID: operator, Message: channels.Message{Author: channels.Author{Name: OperatorName}}, Filing: Filing{Reading: reading},
	}
	claims, err := r.attribute(said, message, at)
	if err != nil {
		return err
	}
	_, err = r.takeIn(r.turn.Persona, r.turn.Room, claims)
	return err
}

// toldIn are the messages in which the operator told a memory.
func (c *conn) toldIn(memory int64) ([]int64, error) {
	return collect[int64](c.rows(`SELECT s.message_id FROM memory_sources s JOIN messages m ON m.id = s.message_id
		JOIN rooms r ON r.id = m.room_id WHERE s.memory_id = ? AND r.channel = ?`, memory, OperatorChannel))(scanID)
}

// operatorsRoom is the operator and the room in which they tell of a person: heard by that person alone, who counts as
// present there, so that their name means them.
func (c *conn) operatorsRoom(person int64) (operator int64, room Room, err error) {
	handle := channels.Handle{Channel: OperatorChannel, ID: OperatorChannel}
	if err := c.meet(handle, OperatorName, c.nowMS()); err != nil {
		return 0, Room{}, err
	}
	operator, err = one(c.row(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, handle.Channel, handle.ID), scanID)
	if err != nil {
		return 0, Room{}, err
	}
	room, err = one(c.row(roomColumns+` WHERE channel = ? AND person_id = ? ORDER BY id`, OperatorChannel, person), scanRoom)
	if !errors.Is(err, ErrNotFound) {
		return operator, room, err
	}
	// Its name is nobody else's, also where it is imported and people have other numbers.
	place := channels.Message{
		Room:      channels.Room{Channel: OperatorChannel, ID: fmt.Sprintf("%d-%d", person, c.nowMS())},
		RoomTitle: OperatorName, Direct: true, At: c.now,
	}
	if err := c.enterRoom(place, person); err != nil {
		return 0, Room{}, err
	}
	if room, err = c.roomOf(place.Room); err == nil && room.PersonID != person {
		err = errors.New("somebody else's room has its name: tell it again")
	}
	return operator, room, err
}
