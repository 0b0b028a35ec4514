package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/channels"
)

// AmendPending carries out an edit of, or the taking back of, a message that is still pending: as far as anybody will
// know, it was said as it reads now, or never. What somebody else than its author does changes nothing, but for a deletion
// by nobody, which the network vouches for. Both must be pending; what was dealt with meanwhile fails with ErrNotFound.
func (s *Store) AmendPending(ctx context.Context, act, said Heard) error {
	m := said.Message
	m.Text = act.Message.Text
	if len(act.Message.Attachments) > 0 {
		m.Attachments = act.Message.Attachments
	}
	amended, err := payload(m)
	if err != nil {
		return fmt.Errorf("amend message %q in %s: %w", m.ID, m.Room.Channel, err)
	}
	return s.write(ctx, "amend message "+m.ID, func(tx *conn) error {
		if err := tx.inboxDone(act.ID); err != nil {
			return err
		}
		by, deletes := act.Message.Author, act.Message.Action == channels.Delete
		switch {
		case !by.SameAccount(m.Author) && !(deletes && by.Handle == channels.Handle{}):
			return nil
		case deletes:
			tx.loose = append(tx.loose, tx.attached(m)...)
			return tx.inboxDone(said.ID)
		}
		tx.loose = append(tx.loose, tx.attached(said.Message)...) // those that it still comes with are not removed
		n, err := tx.affect(`UPDATE inbox SET payload = ? WHERE id = ? AND status = 'pending'`, amended, said.ID)
		if err == nil && n == 0 {
			err = fmt.Errorf("pending inbox row %d: %w", said.ID, ErrNotFound)
		}
		return err
	})
}

// ActOnUnknown deals with an act about a message the room does not have. Where its event was heard, nothing is left to
// do: it was a command, or nothing at all. Otherwise an edit of what is said to the persona is heard as something said to
// nobody, without an answer, and what was taken back is not heard should it still come, if it is its author's or the
// network vouches for that. An edit of anything else is not heard: in a group where only mentions are, neither was what it
// changes.
func (s *Store) ActOnUnknown(ctx context.Context, persona string, act Heard) error {
	m := act.Message
	m.ID, m.Action, m.TargetID, m.Addressed, m.ReplyData = m.TargetID, channels.Post, "", false, ""
	said, err := payload(m)
	if act.Message.Action == channels.Edit && err != nil {
		return fmt.Errorf("hear message %q in %s: %w", m.ID, m.Room.Channel, err)
	}
	return s.write(ctx, "deal with what was done to the unknown message "+m.ID, func(tx *conn) (err error) {
		switch act.Message.Action {
		case channels.Edit:
			if m.Direct || act.Message.Addressed {
				err = tx.hearEdited(persona, m, said)
			}
		case channels.Delete:
			err = tx.takenBack(persona, m)
		}
		return errors.Join(err, tx.inboxDone(act.ID))
	})
}

// hearEdited keeps what an edit says as if it had been said so, unless the message was heard.
func (c *conn) hearEdited(persona string, m channels.Message, said string) error {
	_, err := c.exec(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, author_channel, author_handle, status, received_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?) ON CONFLICT (persona, channel, room, thread, event_id) DO NOTHING`,
		persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID, said, m.Author.Handle.Channel, m.Author.Handle.ID, c.nowMS())
	return err
}

// takenBack keeps under each of their ids who took a message back that has not come: whoever wrote it is known only then.
func (c *conn) takenBack(persona string, m channels.Message) error {
	for _, id := range slices.Compact([]string{m.Author.Handle.ID, cmp.Or(m.Author.Alias, m.Author.Handle.ID)}) {
		if _, err := c.exec(`INSERT INTO taken_back (persona, channel, room, thread, event_id, handle, at)
			SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM inbox
				WHERE persona = ?1 AND channel = ?2 AND room = ?3 AND thread = ?4 AND event_id = ?5)
			ON CONFLICT DO NOTHING`, persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID, id, c.nowMS()); err != nil {
			return err
		}
	}
	return nil
}

// Dismiss marks a pending message as dealt with, with nothing left behind. ErrNotFound when it is not pending.
func (s *Store) Dismiss(ctx context.Context, id int64) error {
	return s.write(ctx, fmt.Sprintf("dismiss inbox row %d", id), func(tx *conn) error { return tx.inboxDone(id) })
}
