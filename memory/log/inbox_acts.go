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

// AmendPending carries out an edit of, or the taking back of, a message that is still pending: as far as anybody will
// know, it was said as it reads now, or never. What somebody else than its author does changes nothing, but for a deletion
// by nobody, which the network vouches for. Both must be pending; what was dealt with meanwhile fails with ErrNotFound.
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
		tx.OrphanedFiles = append(tx.OrphanedFiles, AttachmentFiles(tx, said.Message)...) // those that it still comes with are not removed
		n, err := tx.Affect(`UPDATE inbox SET payload = ? WHERE id = ? AND status = 'pending'`, amended, said.ID)
		if err == nil && n == 0 {
			err = fmt.Errorf("pending inbox row %d: %w", said.ID, db.ErrNotFound)
		}
		return err
	})
}

// HandleUnknownTarget deals with an act about a message the room does not have. Where its event was heard, nothing is left to
// do: it was a command, or nothing at all. Otherwise an edit of what is said to the persona is heard as something said to
// nobody, without an answer, and what was taken back is not heard should it still come, if it is its author's or the
// network vouches for that. An edit of anything else is not heard: in a group where only mentions are, neither was what it
// changes.
func (s *Store) HandleUnknownTarget(ctx context.Context, persona string, act InboxEntry) error {
	m := act.Message
	m.ID, m.Action, m.TargetID, m.Addressed, m.ReplyData = m.TargetID, channels.Post, "", false, ""
	said, err := EncodePayload(m)
	if act.Message.Action == channels.Edit && err != nil {
		return fmt.Errorf("hear message %q in %s: %w", m.ID, m.Room.Channel, err)
	}
	return s.db.Write(ctx, "deal with what was done to the unknown message "+m.ID, func(tx *db.Tx) (err error) {
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

// insertEdited keeps what an edit says as if it had been said so, unless the message was heard.
func insertEdited(tx *db.Tx, persona string, m channels.Message, said string) error {
	_, err := tx.Exec(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, author_channel, author_handle, status, received_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?) ON CONFLICT (persona, channel, room, thread, event_id) DO NOTHING`,
		persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID, said, m.Author.Handle.Channel, m.Author.Handle.ID, tx.NowMillis())
	return err
}

// insertEarlyDeletion keeps under each of their ids who took a message back that has not come: whoever wrote it is known only then.
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

// Dismiss marks a pending message as dealt with, with nothing left behind. ErrNotFound when it is not pending.
func (s *Store) Dismiss(ctx context.Context, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("dismiss inbox row %d", id), func(tx *db.Tx) error { return MarkInboxDone(tx, id) })
}
