package log

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// MarkInboxFailed notes that a pending message could not be answered, and why, and returns how often that has happened. The
// message stays the next of its room. It fails with ErrNotFound when the message is not pending.
func (s *Store) MarkInboxFailed(ctx context.Context, id int64, cause string) (attempts int, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("note a failed attempt at inbox row %d", id), func(tx *db.Tx) error {
		attempts, err = db.One(tx.QueryRow(`UPDATE inbox SET attempts = attempts + 1, last_error = ?
			WHERE id = ? AND status = 'pending' RETURNING attempts`, model.CleanText(cause), id),
			func(row db.Scanner) (n int, err error) {
				err = row.Scan(&n)
				return n, err
			})
		return err
	})
	return attempts, err
}

// MarkInboxDead gives a pending message up for good, with the last cause: its room goes on with what came after it, and the
// message is kept for the operator. It fails with ErrNotFound when the message is not pending.
func (s *Store) MarkInboxDead(ctx context.Context, id int64, cause string) error {
	return s.db.Write(ctx, fmt.Sprintf("give up inbox row %d", id), func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE inbox SET status = 'dead', last_error = ?, done_at = ?
			WHERE id = ? AND status = 'pending'`, model.CleanText(cause), tx.NowMillis(), id)
		if err == nil && n == 0 {
			err = fmt.Errorf("pending inbox row %d: %w", id, db.ErrNotFound)
		}
		return err
	})
}
