package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels"
)

// What people do to messages that were said before. Each of these marks the act's inbox row as dealt with in the same
// transaction, so that an act is done once however often it is delivered.

// MessageCalled is the message that a room's network calls id, the persona's own among them, with what the persona had
// said right before it, "" for nothing. Without a thread it may be in any thread of the chat. ErrNotFound when there is
// none.
func (s *Store) MessageCalled(ctx context.Context, persona string, at channels.Room, id string) (m Message, before string, err error) {
	err = s.read(ctx, "find the message "+id+" of "+at.Channel, func(tx *conn) error {
		m, err = tx.messageAt(persona, at, id)
		if errors.Is(err, ErrNotFound) && at.Thread == "" {
			m, err = tx.chatMessageCalled(persona, at, id)
		}
		if err != nil {
			return err
		}
		before, err = one(tx.row(`SELECT CASE WHEN person_id IS NULL THEN text ELSE '' END FROM messages
			WHERE session_id = ? AND id < ? ORDER BY id DESC LIMIT 1`, m.SessionID, m.ID), scanText)
		if errors.Is(err, ErrNotFound) {
			err = nil
		}
		return err
	})
	return m, before, err
}

// messageAt is the message with that id in the room at an address.
func (c *conn) messageAt(persona string, at channels.Room, id string) (Message, error) {
	room, err := c.roomOf(at)
	if err != nil {
		return Message{}, err
	}
	if at.ID != room.Room.ID && !room.Direct { // said before the room moved
		id = at.ID + "/" + id
	}
	return c.messageCalled(persona, room.ID, id)
}

// chatMessageCalled is the message with that id in any thread of a chat, for networks that name the chat alone and count
// its messages over all threads.
func (c *conn) chatMessageCalled(persona string, at channels.Room, id string) (m Message, err error) {
	threads, err := collect[int64](c.rows(`SELECT id FROM rooms WHERE channel = ? AND room = ?`, at.Channel, at.ID))(scanID)
	if err != nil {
		return m, err
	}
	for _, room := range threads {
		if m, err = c.messageCalled(persona, room, id); !errors.Is(err, ErrNotFound) {
			return m, err
		}
	}
	return Message{}, ErrNotFound
}

func (c *conn) messageCalled(persona string, room int64, id string) (Message, error) {
	m, err := one(c.row(messageColumns+` WHERE m.persona = ? AND m.room_id = ? AND m.external_id = ?`, persona, room, id), scanMessage)
	if !errors.Is(err, ErrNotFound) {
		return m, err
	}
	return one(c.row(messageColumns+` WHERE m.persona = ? AND m.room_id = ?
		AND m.id IN (SELECT message_id FROM sent_as WHERE external_id = ?) LIMIT 1`, persona, room, id), scanMessage)
}

// Rereading files a message as it reads now, and names the loops that it closes of those open with its author when it was
// said, as they are without its old text. It is called within the transaction and may be called again.
type Rereading func(open []Loop) (f Filing, closes []int64)

// EditMessage gives a message the text its author gave it later. What was made of the old text goes, and the new one is
// taken in as if it had been said so; what the persona answered stays said. h is the message as it reads now, with the
// act's inbox row; its Filing is what read makes of it. An edit by somebody else, or of what was forgotten, changes nothing.
func (s *Store) EditMessage(ctx context.Context, persona string, message int64, h HeardMessage, read Rereading) (changes []Change, err error) {
	err = s.write(ctx, fmt.Sprintf("edit message %d", message), func(tx *conn) error {
		changes = nil
		m, room, err := tx.actOn(h.InboxID, message)
		text := h.Message.FullText()
		if err != nil || m.PersonID != h.PersonID || m.Text == "" || m.Text == text {
			return err
		}
		if err := tx.unlearn(persona, m, room); err != nil {
			return fmt.Errorf("let go of what it said: %w", err)
		}
		if _, err := tx.exec(`UPDATE messages SET text = ? WHERE id = ?`, text, m.ID); err != nil {
			return err
		}
		if len(tx.attached(h.Message)) > 0 { // it came with other files
			if err := errors.Join(tx.dropFiles([]int64{m.ID}), tx.keepFiles(m.ID, h.Message)); err != nil {
				return err
			}
		}
		r := recording{conn: tx, turn: Turn{Persona: persona, Room: room}, audience: room.Audience(), done: Recorded{SessionID: m.SessionID}}
		if err := r.rehear(h, m, text, read); err != nil {
			return fmt.Errorf("take in what it says: %w", err)
		}
		changes = r.done.Changes
		if err := tx.erase(); err != nil {
			return err
		}
		return tx.advance(persona, ScopeRevision{Audience: r.audience, Revision: 1, Epoch: 1, Loose: 1})
	})
	return changes, err
}

// rehear takes in a message as it reads now, with the loops it closes.
func (r *recording) rehear(h HeardMessage, m Message, text string, read Rereading) error {
	open, err := r.openBefore(m)
	if err != nil {
		return err
	}
	h.Filing, r.turn.ClosedLoops = read(open)
	if err := r.understand(h, m.ID, text, m.At); err != nil {
		return err
	}
	r.heardNow = []heardNow{{m.ID, m.PersonID, m.At, text}}
	if err := r.learn(); err != nil {
		return err
	}
	return r.closeLoops(r.turn.Persona, r.turn.ClosedLoops, r.heardNow)
}

// openBefore are the loops open with the author of a message that were named before it was said.
func (r *recording) openBefore(m Message) ([]Loop, error) {
	h, err := r.hearing(r.turn.Persona, r.turn.Room)
	if err != nil {
		return nil, err
	}
	open, err := r.loops(h, m.PersonID)
	return slices.DeleteFunc(open, func(l Loop) bool { return l.MessageID >= m.ID }), err
}

// DeleteMessage takes a message back by the act with the given inbox row: it is forgotten as Forget forgets, and its row
// stays as the place it had in the talk.
func (s *Store) DeleteMessage(ctx context.Context, persona string, inbox, message int64) (gone Forgotten, err error) {
	err = s.write(ctx, fmt.Sprintf("delete message %d", message), func(tx *conn) error {
		gone = Forgotten{}
		m, room, err := tx.actOn(inbox, message)
		if err != nil {
			return err
		}
		gone, err = tx.takeBack(persona, m, room)
		return err
	})
	return gone, err
}

// takeBack forgets a message with all that was made of it. One of the persona's own loses its text alone.
func (c *conn) takeBack(persona string, m Message, room Room) (Forgotten, error) {
	if m.Text == "" {
		return Forgotten{}, nil
	}
	f, err := c.forgettingOf(persona, m, room)
	if err != nil {
		return Forgotten{}, err
	}
	if m.PersonID == 0 {
		err = errors.Join(f.removeReply(m), c.advance(persona, ScopeRevision{Audience: room.Audience(), Epoch: 1}))
	} else {
		err = f.run()
	}
	return f.gone, errors.Join(err, c.erase())
}

// Reaction is an emoji somebody put to a message.
type Reaction struct {
	Message, Person int64
	// Emoji is "" for one that was taken away.
	Emoji string
	At    time.Time
	// Relate moves the persona's relationship with the person, as in Turn.
	Relate map[int64]func(Relationship) Relationship
}

// React keeps a reaction, by the act with the given inbox row. A person has one per message, the last.
func (s *Store) React(ctx context.Context, persona string, inbox int64, r Reaction) error {
	return s.write(ctx, fmt.Sprintf("keep a reaction to message %d", r.Message), func(tx *conn) error {
		m, _, err := tx.actOn(inbox, r.Message)
		if err != nil || m.Text == "" {
			return err
		}
		if r.Emoji == "" {
			_, err = tx.exec(`DELETE FROM reactions WHERE message_id = ? AND person_id = ?`, r.Message, r.Person)
			return err
		}
		if _, err := tx.exec(`INSERT INTO reactions (message_id, person_id, emoji, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (message_id, person_id) DO UPDATE SET emoji = excluded.emoji, at = excluded.at`,
			r.Message, r.Person, r.Emoji, ms(r.At)); err != nil {
			return err
		}
		return tx.relate(persona, r.Relate)
	})
}

// Reactions are the emoji people have put to a message, by person.
func (s *Store) Reactions(ctx context.Context, message int64) (all []Reaction, err error) {
	err = s.readOne(ctx, fmt.Sprintf("read the reactions to message %d", message), func(tx *conn) error {
		all, err = collect[Reaction](tx.rows(`SELECT message_id, person_id, emoji, at FROM reactions WHERE message_id = ? ORDER BY person_id`, message))(
			func(row scanner) (r Reaction, err error) {
				err = row.Scan(&r.Message, &r.Person, &r.Emoji, intoTime(&r.At))
				return r, err
			})
		return err
	})
	return all, err
}

// actOn marks an act as dealt with and reads what it is about.
func (c *conn) actOn(inbox, message int64) (m Message, room Room, err error) {
	if err := c.inboxDone(inbox); err != nil {
		return m, room, err
	}
	if m, err = one(c.row(messageColumns+` WHERE m.id = ?`, message), scanMessage); err != nil {
		return m, room, err
	}
	room, err = c.roomByID(m.RoomID)
	return m, room, err
}
