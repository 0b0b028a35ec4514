package log

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// AmendPending applies an edit or deletion (act) to a message that is still pending (said), as if the message had been
// sent in its new form or never. Only the author may change a message; others' actions have no effect, except a
// deletion without author, which the network vouches for. It fails with ErrNotFound if either entry is no longer
// pending.
func (s *Store) AmendPending(ctx context.Context, act, said InboxEntry) error {
	m := said.Message
	m.Text = act.Message.Text
	if len(act.Message.Attachments) > 0 {
		m.Attachments = act.Message.Attachments
	}
	amended, err := EncodePayload(m)
	if err != nil {
		return fmt.Errorf("amend message %q in %s: %w", m.ID, m.Room.Channel, err)
	}
	return s.db.Write(ctx, "amend message "+m.ID, func(tx *db.Tx) error {
		if err := MarkInboxDone(tx, act.ID); err != nil {
			return err
		}
		by, deletes := act.Message.Author, act.Message.Action == channels.Delete
		switch {
		case !by.SameAccount(m.Author) && !(deletes && by.Handle == channels.Handle{}):
			return nil
		case deletes:
			tx.OrphanedFiles = append(tx.OrphanedFiles, AttachmentFiles(tx, m)...)
			return MarkInboxDone(tx, said.ID)
		}
		tx.OrphanedFiles = append(tx.OrphanedFiles, AttachmentFiles(tx, said.Message)...) // those still attached are not removed
		n, err := tx.Affect(`UPDATE inbox SET payload = ? WHERE id = ? AND status = 'pending'`, amended, said.ID)
		if err == nil && n == 0 {
			err = fmt.Errorf("pending inbox row %d: %w", said.ID, db.ErrNotFound)
		}
		return err
	})
}

// HandleUnknownTarget handles an action on a message that the room does not have. If the event was received, it was a
// command or needed no record, and nothing is left to do. Otherwise an edit of a message to the persona is received as
// a message that gets no answer. A deletion prevents the message from being accepted later, if its author deleted it or
// the network vouches for the deletion. Other edits are ignored: in a group where only mentions are received, the
// original message was not received either.
func (s *Store) HandleUnknownTarget(ctx context.Context, persona string, act InboxEntry) error {
	m := act.Message
	m.ID, m.Action, m.TargetID, m.Addressed, m.ReplyData = m.TargetID, channels.Post, "", false, ""
	said, err := EncodePayload(m)
	if act.Message.Action == channels.Edit && err != nil {
		return fmt.Errorf("receive the edit of message %q in %s: %w", m.ID, m.Room.Channel, err)
	}
	return s.db.Write(ctx, "handle an action on the unknown message "+m.ID, func(tx *db.Tx) (err error) {
		switch act.Message.Action {
		case channels.Edit:
			if m.Direct || act.Message.Addressed {
				err = insertEdited(tx, persona, m, said)
			}
		case channels.Delete:
			err = insertEarlyDeletion(tx, persona, m)
		}
		return errors.Join(err, MarkInboxDone(tx, act.ID))
	})
}

// insertEdited stores the edited text as a new message, unless the original was received.
func insertEdited(tx *db.Tx, persona string, m channels.Message, said string) error {
	_, err := tx.Exec(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, author_channel, author_handle, status, received_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?) ON CONFLICT (persona, channel, room, thread, event_id) DO NOTHING`,
		persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID, said, m.Author.Handle.Channel, m.Author.Handle.ID, tx.NowMillis())
	return err
}

// insertEarlyDeletion stores who deleted a message that has not arrived, under each of their IDs. Whether that is its
// author is known only when the message arrives.
func insertEarlyDeletion(tx *db.Tx, persona string, m channels.Message) error {
	for _, id := range slices.Compact([]string{m.Author.Handle.ID, cmp.Or(m.Author.Alias, m.Author.Handle.ID)}) {
		if _, err := tx.Exec(`INSERT INTO taken_back (persona, channel, room, thread, event_id, handle, at)
			SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM inbox
				WHERE persona = ?1 AND channel = ?2 AND room = ?3 AND thread = ?4 AND event_id = ?5)
			ON CONFLICT DO NOTHING`, persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID, id, tx.NowMillis()); err != nil {
			return err
		}
	}
	return nil
}

// Dismiss marks a pending message as done without any other effect. It fails with ErrNotFound if it is not pending.
func (s *Store) Dismiss(ctx context.Context, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("dismiss inbox row %d", id), func(tx *db.Tx) error { return MarkInboxDone(tx, id) })
}
