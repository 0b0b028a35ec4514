package erase

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// AudienceChange is what a person wants to become of who may hear one of their memories.
type AudienceChange struct {
	Persona string
	// Memory is what Person said themselves, in a direct room or in a group.
	Memory, Person int64
	// Groups are the groups in which it may be spoken of too, none to keep it private.
	Groups []model.Room
}

// ErrNoDirectRoom reports that a person has no direct room to keep something private in.
var ErrNoDirectRoom = errors.New("the person has no direct room")

// ChangeAudience changes who may hear what a person said, asked for by a command, and answers the command, in one
// transaction. It is the only way in which anything gets another audience.
//
// To share is to have the message once more in each group, from which everything is derived there. To make private is to
// have it in the person's direct room alone: in the groups it is forgotten as Forget does, with the persona's replies made
// from it, summaries and beliefs. It fails with ErrNotFound unless the memory is what the person said in one message,
// and with ErrNoDirectRoom.
func (s *Store) ChangeAudience(ctx context.Context, c AudienceChange, answer log.CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("change who may hear memory %d", c.Memory), func(tx *db.Tx) error {
		of, err := entry.Memory(tx, c.Memory)
		if err != nil {
			return err
		}
		if of.Persona != c.Persona || of.Origin != model.OriginMessage || of.AuthorID != c.Person || len(of.Sources) != 1 {
			return db.ErrNotFound
		}
		m, err := db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ?`, of.Sources[0]), log.ScanMessage)
		if err != nil {
			return err
		}
		if m.Text == "" {
			return db.ErrNotFound
		}
		change := audienceChange{Tx: tx, persona: c.Persona, message: m, memory: of}
		if len(c.Groups) > 0 {
			err = change.share(c.Groups)
		} else {
			err = change.keepPrivate()
		}
		if err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer)
	})
}

// audienceChange changes who may hear a message and the memory made of it.
type audienceChange struct {
	*db.Tx
	persona string
	message model.Message
	memory  model.Memory
}

// share copies the message to each group that does not have it.
func (c audienceChange) share(groups []model.Room) error {
	there, err := withCopies(c.Tx, c.message.ID)
	if err != nil {
		return err
	}
	for _, group := range groups {
		if group.Direct {
			return fmt.Errorf("share memory %d in room %d: it is no group", c.memory.ID, group.ID)
		}
		if slices.ContainsFunc(there, func(m model.Message) bool { return m.RoomID == group.ID && m.Text != "" }) {
			continue
		}
		if err := turns.CopyMessage(c.Tx, c.persona, c.message, c.memory, group); err != nil {
			return fmt.Errorf("share memory %d in room %d: %w", c.memory.ID, group.ID, err)
		}
	}
	return nil
}

// keepPrivate forgets the message in groups and keeps it in a direct room.
func (c audienceChange) keepPrivate() error {
	there, err := withCopies(c.Tx, c.message.ID)
	if err != nil {
		return err
	}
	kept, gone := false, Erasure{At: c.Now, Kind: KindDelete}
	for _, m := range there {
		room, err := log.RoomByID(c.Tx, m.RoomID)
		if err != nil {
			return err
		}
		if room.Direct {
			kept = kept || m.Text != ""
			continue
		}
		if _, err := deleteMessage(c.Tx, c.persona, m, room, &gone); err != nil {
			return fmt.Errorf("forget what was said in room %d: %w", room.ID, err)
		}
	}
	if err := gone.record(c.Tx); err != nil || kept {
		return err
	}
	direct, err := db.One(c.QueryRow(log.SelectRooms+` WHERE person_id = ? AND direct = 1 AND channel <> ? ORDER BY id DESC LIMIT 1`,
		c.message.PersonID, turns.OperatorChannel), log.ScanRoom)
	if errors.Is(err, db.ErrNotFound) {
		return ErrNoDirectRoom
	}
	if err != nil {
		return err
	}
	return turns.CopyMessage(c.Tx, c.persona, c.message, c.memory, direct)
}

// withCopies returns a message with its copies in other rooms: it may be one itself.
func withCopies(tx *db.Tx, message int64) ([]model.Message, error) {
	return db.Collect[model.Message](tx.Query(log.SelectMessages+` WHERE m.id = ?1 OR m.copied_from = ?1
		OR m.id = (SELECT copied_from FROM messages WHERE id = ?1)
		OR m.copied_from = (SELECT copied_from FROM messages WHERE id = ?1) ORDER BY m.id`, message))(log.ScanMessage)
}

// forgetCopies forgets the copies of a message in other rooms, and adds them to e.
func forgetCopies(tx *db.Tx, persona string, message int64, e *Erasure) (gone ForgetResult, err error) {
	there, err := withCopies(tx, message)
	if err != nil {
		return gone, err
	}
	for _, m := range there {
		if m.ID == message {
			continue
		}
		room, err := log.RoomByID(tx, m.RoomID)
		if err != nil {
			return gone, err
		}
		more, err := deleteMessage(tx, persona, m, room, e)
		if err != nil {
			return gone, fmt.Errorf("forget a copy in room %d: %w", room.ID, err)
		}
		gone.add(more)
	}
	return gone, nil
}
