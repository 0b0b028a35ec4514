package log

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// MarkInboxFailed records a failed attempt to answer a pending message with its cause, and returns the number of
// attempts. The message stays first in its room. It fails with ErrNotFound if the message is not pending.
func (s *Store) MarkInboxFailed(ctx context.Context, id int64, cause string) (attempts int, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("record a failed attempt at inbox row %d", id), func(tx *db.Tx) error {
		attempts, err = db.One(tx.QueryRow(`UPDATE inbox SET attempts = attempts + 1, last_error = ?
			WHERE id = ? AND status = 'pending' RETURNING attempts`, Redact(model.CleanText(cause)), id),
			func(row db.Scanner) (n int, err error) {
				err = row.Scan(&n)
				return n, err
			})
		return err
	})
	return attempts, err
}

// MarkInboxDead gives up a pending message for good and records the last cause. Its room continues with the next
// message, and the dead one is kept for the operator. It fails with ErrNotFound if the message is not pending.
func (s *Store) MarkInboxDead(ctx context.Context, id int64, cause string) error {
	return s.db.Write(ctx, fmt.Sprintf("give up inbox row %d", id), func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE inbox SET status = 'dead', last_error = ?, done_at = ?
			WHERE id = ? AND status = 'pending'`, Redact(model.CleanText(cause)), tx.NowMillis(), id)
		if err == nil && n == 0 {
			err = fmt.Errorf("pending inbox row %d: %w", id, db.ErrNotFound)
		}
		return err
	})
}

// DeadMessage is a message that was given up unanswered.
type DeadMessage struct {
	InboxEntry
	Attempts  int
	LastError string
	Died      time.Time
}

// DeadMessages returns persona's messages that were given up unanswered, oldest first.
func (s *Store) DeadMessages(ctx context.Context, persona string) (dead []DeadMessage, err error) {
	err = s.db.Read(ctx, "read the messages that "+persona+" could not answer", func(tx *db.Tx) error {
		dead, err = db.Collect[DeadMessage](tx.Query(selectDead+`WHERE status = 'dead' AND persona = ? ORDER BY id`, persona))(scanDeadMessage)
		return err
	})
	return dead, err
}

const selectDead = `SELECT id, payload, coalesce(job_run_id, 0), received_at, attempts, last_error, done_at FROM inbox `

// DeadMessagesBefore returns up to limit messages that persona could not answer with an ID below before, the latest first; before 0
// begins with the latest of all.
func (s *Store) DeadMessagesBefore(ctx context.Context, persona string, before int64, limit int) (dead []DeadMessage, err error) {
	err = s.db.ReadOne(ctx, "read the messages that "+persona+" could not answer", func(tx *db.Tx) error {
		dead, err = db.Collect[DeadMessage](tx.Query(selectDead+`WHERE status = 'dead' AND persona = ?1 AND (?2 = 0 OR id < ?2) ORDER BY id DESC LIMIT ?3 + 0`,
			persona, before, limit))(scanDeadMessage)
		return err
	})
	return dead, err
}

// DeadMessage returns a message that persona could not answer. It fails with ErrNotFound if there is none of that number.
func (s *Store) DeadMessage(ctx context.Context, persona string, id int64) (d DeadMessage, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read inbox row %d", id), func(tx *db.Tx) error {
		d, err = db.One(tx.QueryRow(selectDead+`WHERE status = 'dead' AND persona = ? AND id = ?`, persona, id), scanDeadMessage)
		return err
	})
	return d, err
}

// WaitingMessages returns up to limit messages that wait for an answer of persona, the oldest first. Their causes are those of
// failed attempts so far.
func (s *Store) WaitingMessages(ctx context.Context, persona string, limit int) (waiting []DeadMessage, err error) {
	err = s.db.ReadOne(ctx, "read the messages that wait for "+persona, func(tx *db.Tx) error {
		waiting, err = db.Collect[DeadMessage](tx.Query(selectDead+`WHERE status = 'pending' AND persona = ? ORDER BY id LIMIT ? + 0`,
			persona, limit))(scanDeadMessage)
		return err
	})
	return waiting, err
}

func scanDeadMessage(row db.Scanner) (d DeadMessage, err error) {
	if err := row.Scan(&d.ID, &d.payload, &d.JobRun, db.IntoTime(&d.Received), &d.Attempts, &d.LastError, db.IntoTime(&d.Died)); err != nil {
		return d, err
	}
	if err := json.Unmarshal(d.payload, &d.Message); err != nil {
		return d, fmt.Errorf("inbox row %d: %w", d.ID, err)
	}
	return d, nil
}

// RetryInbox queues a message again that was given up, with all attempts before it. It fails with ErrNotFound if there is
// no such message.
func (s *Store) RetryInbox(ctx context.Context, id int64) error {
	return s.changeDead(ctx, id, "queue again", func(tx *db.Tx) (int64, error) {
		return tx.Affect(`UPDATE inbox SET status = 'pending', attempts = 0, done_at = NULL WHERE status = 'dead' AND id = ?`, id)
	})
}

// DropInbox marks a message that was given up as done and deletes its content. It fails with ErrNotFound if there is no such
// message.
func (s *Store) DropInbox(ctx context.Context, id int64) error {
	return s.changeDead(ctx, id, "drop", func(tx *db.Tx) (int64, error) {
		n, err := tx.Affect(`UPDATE inbox SET status = 'done', payload = '', author_channel = '', author_handle = '',
			last_error = 'dropped by the operator', done_at = ? WHERE status = 'dead' AND id = ?`, tx.NowMillis(), id)
		return n, errors.Join(err, tx.MarkErased())
	})
}

func (s *Store) changeDead(ctx context.Context, id int64, act string, change func(tx *db.Tx) (int64, error)) error {
	return s.db.Write(ctx, fmt.Sprintf("%s inbox row %d", act, id), func(tx *db.Tx) error {
		n, err := change(tx)
		if err == nil && n == 0 {
			err = fmt.Errorf("%w: no message that was given up has inbox row %d", db.ErrNotFound, id)
		}
		return err
	})
}
