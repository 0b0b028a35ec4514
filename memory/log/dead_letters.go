package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// ErrTextGone reports that nothing is left of a dead letter that could be sent.
var ErrTextGone = errors.New("its text is gone: it was forgotten, or it answered a command, so the person can ask again")

// MarkOutboxDead gives up a text for good. It lets the room's next text pass and becomes a dead letter. A dead reply
// keeps its text in its message; the text of a command's answer is deleted, since the person can ask again. The first
// time that an answer is given up, the person is to be told; see Undelivered.
func (s *Store) MarkOutboxDead(ctx context.Context, id int64, cause string) error {
	return s.changePending(ctx, id, "give up", func(tx *db.Tx, gone error) error {
		return tx.Expect(1, gone, `UPDATE outbox SET status = 'dead', attempts = attempts + 1, text = '', via = '',
			last_error = CASE WHEN instr(last_error, ?) = 1 THEN ? ELSE '' END || ?,
			to_tell = CASE WHEN died_at IS NOT NULL THEN to_tell WHEN message_id IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM unasked_decisions d WHERE d.message_id = outbox.message_id) THEN 1 ELSE 0 END,
			died_at = coalesce(died_at, ?) WHERE id = ? AND status = 'pending'`,
			maybeShown, maybeShown, Redact(model.CleanText(cause)), tx.NowMillis(), id)
	})
}

// DeadLetters returns the texts that could not be sent and were not dropped, oldest first.
func (s *Store) DeadLetters(ctx context.Context, persona string) ([]OutboxEntry, error) {
	return s.outboxWhere(ctx, "read the dead letters of "+persona, `o.status = 'dead' AND o.dropped_at IS NULL AND o.persona = ?`, persona)
}

// Unsent returns the texts that wait to be sent, the dead letters and those that were dropped, oldest first.
func (s *Store) Unsent(ctx context.Context, persona string) ([]OutboxEntry, error) {
	return s.outboxWhere(ctx, "read what was not sent by "+persona, `o.status <> 'sent' AND o.persona = ?`, persona)
}

// LettersBefore returns up to limit dead letters of persona with an ID below before, the latest first; before 0 begins with the
// latest of all.
func (s *Store) LettersBefore(ctx context.Context, persona string, before int64, limit int) (letters []OutboxEntry, err error) {
	err = s.db.ReadOne(ctx, "read the dead letters of "+persona, func(tx *db.Tx) error {
		letters, err = db.Collect[OutboxEntry](tx.Query(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
			WHERE o.status = 'dead' AND o.dropped_at IS NULL AND o.persona = ?1 AND (?2 = 0 OR o.id < ?2) ORDER BY o.id DESC LIMIT ?3 + 0`,
			persona, before, limit))(scanOutbox)
		return err
	})
	return letters, err
}

// WaitingTexts returns up to limit texts of persona that wait to be sent, the oldest first.
func (s *Store) WaitingTexts(ctx context.Context, persona string, limit int) (texts []OutboxEntry, err error) {
	err = s.db.ReadOne(ctx, "read what waits to be sent by "+persona, func(tx *db.Tx) error {
		texts, err = db.Collect[OutboxEntry](tx.Query(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
			WHERE o.status = 'pending' AND o.persona = ? ORDER BY o.id LIMIT ? + 0`, persona, limit))(scanOutbox)
		return err
	})
	return texts, err
}

func (s *Store) outboxWhere(ctx context.Context, act, condition string, args ...any) (all []OutboxEntry, err error) {
	err = s.db.Read(ctx, act, func(tx *db.Tx) error {
		all, err = db.Collect[OutboxEntry](tx.Query(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
			WHERE `+condition+` ORDER BY o.id`, args...))(scanOutbox)
		return err
	})
	return all, err
}

// Outbox returns one entry of any persona. It fails with ErrNotFound if there is none.
func (s *Store) Outbox(ctx context.Context, id int64) (o OutboxEntry, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read outbox row %d", id), func(tx *db.Tx) error {
		o, err = outboxEntry(tx, id)
		return err
	})
	return o, err
}

func outboxEntry(tx *db.Tx, id int64) (OutboxEntry, error) {
	return db.One(tx.QueryRow(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id WHERE o.id = ?`, id), scanOutbox)
}

// ResendOutbox queues a dead letter again, with all attempts before it and under the same key, so that a network that
// has shown it does not show it again. Chunks that the network accepted are not repeated. It fails with ErrNotFound if
// there is no such dead letter, and with ErrTextGone if its text was deleted.
func (s *Store) ResendOutbox(ctx context.Context, id int64) (o OutboxEntry, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("queue outbox row %d again", id), func(tx *db.Tx) error {
		if o, err = deadLetter(tx, id); err != nil {
			return err
		}
		if o.Text == "" {
			return ErrTextGone
		}
		_, err := tx.Exec(`UPDATE outbox SET status = 'pending', attempts = 0, not_before = 0, last_error = '' WHERE id = ?`, id)
		return err
	})
	return o, err
}

// DropOutbox marks a dead letter as dropped by the operator, and returns it. Its message keeps its text; see
// erase.Store.DropLetter. It fails with ErrNotFound if there is no such dead letter.
func DropOutbox(tx *db.Tx, id int64) (OutboxEntry, error) {
	o, err := deadLetter(tx, id)
	if err != nil {
		return o, err
	}
	_, err = tx.Exec(`UPDATE outbox SET dropped_at = ?, text = '', via = '', to_tell = 0 WHERE id = ?`, tx.NowMillis(), id)
	return o, err
}

// deadLetter returns an entry that was given up and not dropped.
func deadLetter(tx *db.Tx, id int64) (OutboxEntry, error) {
	o, err := outboxEntry(tx, id)
	if err == nil && o.State() != DeadLetter {
		return o, fmt.Errorf("%w: outbox row %d is no dead letter but %s", db.ErrNotFound, id, o.State())
	}
	return o, err
}

// Undelivered returns the answers in h's room that were given up, and of which the person was not told yet, oldest
// first. Proactive messages and the answers to commands are not among them.
func (s *Store) Undelivered(ctx context.Context, h scope.Visibility) (ids []int64, err error) {
	err = s.db.ReadOne(ctx, "read which answers did not arrive", func(tx *db.Tx) error {
		ids, err = db.Collect[int64](tx.Query(`SELECT id FROM outbox
			WHERE room_id = ? AND to_tell = 1 AND status = 'dead' AND persona = ? ORDER BY id`, h.Room().ID, h.Persona()))(db.ScanID)
		return err
	})
	return ids, err
}

// MarkTold records that a person is told of answers that were given up.
func MarkTold(tx *db.Tx, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	in, args := db.Placeholders(ids)
	_, err := tx.Exec(`UPDATE outbox SET to_tell = 0 WHERE id IN `+in, args...)
	return err
}
