package log

import (
	"context"
	"fmt"

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
