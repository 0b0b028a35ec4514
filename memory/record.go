package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// RecordTurn records a turn in one transaction: the messages are heard and learned from, the answer is said and queued
// for sending, and what shaped it is on record; or, on any error, nothing happened. Messages are taken as Pending gives
// them, without pasted secrets; the answer loses any that a voice put into it.
//
// A turn whose messages were recorded before fails with ErrAlreadyDone and changes nothing: after an error that left
// open whether the turn was recorded, recording it again is safe. A message the room has heard under the same ID is
// not heard twice. A session that has ended meanwhile, or that is not of this room, is not continued: the turn begins
// a new one after the room's latest.
func (s *Store) RecordTurn(ctx context.Context, t Turn) (Recorded, error) {
	var r recording
	err := s.write(ctx, fmt.Sprintf("record the turn in room %d", t.Room.ID), func(tx *conn) error {
		r = recording{conn: tx, turn: t, audience: t.Room.Audience()}
		return r.record()
	})
	if err != nil {
		return Recorded{}, err
	}
	return r.done, nil
}

// recording is one RecordTurn at work.
type recording struct {
	*conn
	turn     Turn
	audience Audience
	names    *roster
	claims   []AttributedClaim
	fresh    int // messages that were not on record
	heardNow []heardNow
	first    time.Time // and last: when the turn's messages were said
	last     time.Time
	done     Recorded
}

// record is the turn in the order it is written.
func (r *recording) record() error {
	steps := []func() error{
		r.check, r.takeFromInbox, r.openSession, r.hear, r.learn, r.answer, r.noteSession, r.notePeople, r.explain,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return r.advance(r.turn.Persona, ScopeRevision{Audience: r.audience, Revision: 1})
}

func (r *recording) check() error {
	t := r.turn
	switch {
	case t.Persona == "" || t.Room.ID == 0:
		return errors.New("a turn needs a persona and a room that was entered")
	case len(t.Heard) == 0 && t.Reply == nil:
		return errors.New("a turn in which nothing is heard or said cannot be recorded")
	case t.Reply != nil && t.Reply.Key == "":
		return errors.New("a reply needs a key to be sent under")
	}
	for _, h := range t.Heard {
		if h.PersonID == 0 {
			return fmt.Errorf("message %s was said by nobody who has entered the room", h.Message.ID)
		}
		at := cmp.Or(h.Message.At, r.now)
		if r.first.IsZero() || at.Before(r.first) {
			r.first = at
		}
		r.last = later(r.last, at)
	}
	if len(t.Heard) == 0 {
		r.first = cmp.Or(t.Reply.At, r.now)
		r.last = r.first
	}
	return nil
}

// takeFromInbox marks the messages as dealt with.
func (r *recording) takeFromInbox() error {
	for _, h := range r.turn.Heard {
		if h.InboxID == 0 {
			continue // it came from a transcript, not over a channel
		}
		err := r.inboxDone(h.InboxID)
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("inbox row %d: %w", h.InboxID, ErrAlreadyDone)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *recording) openSession() error {
	if r.turn.SessionID != 0 {
		s, err := r.session(r.turn.SessionID)
		if err != nil {
			return fmt.Errorf("session %d: %w", r.turn.SessionID, err)
		}
		if s.Ended.IsZero() && s.RoomID == r.turn.Room.ID && s.Persona == r.turn.Persona {
			r.done.SessionID = s.ID
			return nil
		}
	}
	id, err := r.insert(`INSERT INTO sessions (persona, room_id, parent_id, started_at, last_at)
		VALUES (?, ?, (SELECT max(id) FROM sessions WHERE persona = ? AND room_id = ?), ?, ?)`,
		r.turn.Persona, r.turn.Room.ID, r.turn.Persona, r.turn.Room.ID, ms(r.first), ms(r.last))
	r.done.SessionID = id
	return err
}

// hear appends the messages and makes a memory of each that has a text.
func (r *recording) hear() error {
	for _, h := range r.turn.Heard {
		id, err := r.hearOne(h)
		if err != nil {
			return fmt.Errorf("message %s: %w", h.Message.ID, err)
		}
		r.done.MessageIDs = append(r.done.MessageIDs, id)
		if id != 0 {
			r.heardNow = append(r.heardNow, heardNow{id, h.PersonID, cmp.Or(h.Message.At, r.now), h.Message.FullText()})
		}
	}
	if r.fresh == 0 && len(r.turn.Heard) > 0 && r.turn.Reply == nil && r.turn.Heard[0].InboxID == 0 {
		return ErrAlreadyDone
	}
	return nil
}

func (r *recording) hearOne(h HeardMessage) (int64, error) {
	if h.Message.Arrival {
		return 0, nil // arriving is not saying anything
	}
	text, at := h.Message.FullText(), cmp.Or(h.Message.At, r.now)
	event := h.Message.ID
	if !r.turn.Room.Direct && h.Message.Room.ID != r.turn.Room.Room.ID { // heard before the room moved: see MoveRoom
		event = h.Message.Room.ID + "/" + event
	}
	id, fresh, err := r.say(h.PersonID, event, h.Message.ReplyTo, text, at, vanishes(h.Message, at))
	if err != nil || !fresh {
		return id, err
	}
	if err := r.noteSpoke(h, at); err != nil {
		return id, err
	}
	if err := r.keepFiles(id, h.Message); err != nil {
		return id, err
	}
	return id, r.understand(h, id, text, at)
}

// noteSpoke notes when somebody was last seen, and last spoke in the room.
func (r *recording) noteSpoke(h HeardMessage, at time.Time) error {
	handle := h.Message.Author.Handle
	if _, err := r.exec(`UPDATE handles SET last_seen = ? WHERE channel = ? AND handle = ? AND last_seen < ?`,
		ms(at), handle.Channel, handle.ID, ms(at)); err != nil {
		return err
	}
	_, err := r.exec(`UPDATE room_people SET last_spoke = ? WHERE room_id = ? AND person_id = ? AND last_spoke < ?`,
		ms(at), r.turn.Room.ID, h.PersonID, ms(at))
	return err
}

// understand makes a memory of a message that has a text and reads what it claims.
func (r *recording) understand(h HeardMessage, id int64, text string, at time.Time) error {
	if text == "" || h.Filing.Passing {
		return nil
	}
	claims, err := r.attribute(h, id, at)
	if err != nil {
		return err
	}
	about, err := r.aboutWhom(h, claims)
	if err != nil {
		return err
	}
	r.claims = append(r.claims, claims...)
	f := h.Filing
	_, err = r.insertMemory(memoryRow{
		Memory: Memory{
			Persona: r.turn.Persona, Audience: r.audience, Origin: Said, AuthorID: h.PersonID, SessionID: r.done.SessionID,
			Sector: cmp.Or(f.Sector, Episodic), Text: text, Salience: f.Salience, Instruction: f.Instruction,
			EventFrom: f.EventFrom, EventUntil: f.EventUntil, Created: at, Sources: []int64{id}, Entities: f.Reading.Entities,
		},
		about: about, follows: true,
	})
	return err
}

// say appends a message of a person, or of the persona for 0. It is not fresh when the room has it already.
func (r *recording) say(person int64, externalID, replyTo, text string, at, vanishes time.Time) (id int64, fresh bool, err error) {
	res, err := r.exec(`INSERT INTO messages (persona, room_id, session_id, person_id, external_id, reply_to, text, at, vanishes_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (persona, room_id, external_id) DO NOTHING`,
		r.turn.Persona, r.turn.Room.ID, r.done.SessionID, nullID(person), externalID, replyTo, text, ms(at), nullMS(vanishes))
	if err != nil {
		return 0, false, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, false, err
	}
	if n == 0 {
		id, err = one(r.row(`SELECT id FROM messages WHERE persona = ? AND room_id = ? AND external_id = ?`,
			r.turn.Persona, r.turn.Room.ID, externalID), scanID)
		return id, false, err
	}
	r.fresh++
	id, err = res.LastInsertId()
	return id, true, err
}

// learn takes in what was claimed, and what the plans that closed have come to.
func (r *recording) learn() error {
	ended, err := r.concluded()
	if err != nil {
		return fmt.Errorf("see which plans are over: %w", err)
	}
	r.done.Changes, err = r.takeIn(r.turn.Persona, r.turn.Room, append(r.claims, ended...))
	return err
}

// takeIn weighs claims made in a room against what is believed, and keeps what they leave open.
func (c *conn) takeIn(persona string, room Room, claims []AttributedClaim) ([]Change, error) {
	if err := c.asPlanned(persona, room, claims); err != nil {
		return nil, fmt.Errorf("find the plans that are meant: %w", err)
	}
	changes, err := c.reviseBeliefs(persona, room, claims)
	if err != nil {
		return nil, fmt.Errorf("revise the beliefs: %w", err)
	}
	if err := c.leaveOpen(persona, room, claims); err != nil {
		return nil, fmt.Errorf("keep what was left open: %w", err)
	}
	return changes, nil
}

// answer says the reply and queues it for sending.
func (r *recording) answer() error {
	reply := r.turn.Reply
	if reply == nil {
		return nil
	}
	text, at := Redact(reply.Text), cmp.Or(reply.At, r.now)
	id, fresh, err := r.say(0, reply.Key, reply.ReplyTo, text, at, r.vanishes(at))
	if err != nil {
		return fmt.Errorf("say the reply: %w", err)
	}
	if !fresh {
		return fmt.Errorf("reply %s: %w", reply.Key, ErrAlreadyDone)
	}
	r.done.ReplyID = id
	if r.done.OutboxID, err = r.enqueue(r.turn.Persona, r.turn.Room.ID, id, *reply); err != nil {
		return fmt.Errorf("queue the reply: %w", err)
	}
	return nil
}

// noteSession counts the turn in its session. Time in a session is that of what people said: an answer given late,
// to a transcript for one, does not stretch it.
func (r *recording) noteSession() error {
	_, err := r.exec(`UPDATE sessions SET messages = messages + ?,
		last_at = CASE WHEN last_at < ? THEN ? ELSE last_at END WHERE id = ?`,
		r.fresh, ms(r.last), ms(r.last), r.done.SessionID)
	return err
}

func (r *recording) notePeople() error {
	t := r.turn
	if err := r.relate(t.Persona, t.Relate); err != nil {
		return err
	}
	for _, person := range slices.Sorted(maps.Keys(t.Zones)) {
		if err := r.setZone(person, t.Zones[person], t.Zone); err != nil {
			return fmt.Errorf("note where person %d is: %w", person, err)
		}
	}
	if err := r.askLoops(t.Persona, t.AskedLoops); err != nil {
		return err
	}
	if err := r.closeLoops(t.Persona, t.ClosedLoops, r.closing()); err != nil {
		return err
	}
	if len(t.Greeted) > 0 && t.Asker == 0 {
		return errors.New("a greeting needs the person who was greeted")
	}
	if err := r.greet(t.Persona, t.Asker, t.Greeted); err != nil || t.Unasked == nil {
		return err
	}
	said := *t.Unasked
	said.PersonID, said.Sent, said.MessageID, said.At = t.Asker, true, r.done.ReplyID, r.now
	return r.noteUnasked(t.Persona, said)
}
