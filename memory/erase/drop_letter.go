package erase

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/log"
)

// DropLetter drops a dead letter for good: its text goes, with what was derived from it, and its row says that it was
// dropped. It fails with ErrNotFound if there is no such dead letter.
func (s *Store) DropLetter(ctx context.Context, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("drop outbox row %d", id), func(tx *db.Tx) error {
		letter, err := log.DropOutbox(tx, id)
		if err != nil || letter.MessageID == 0 {
			return err
		}
		e := Erasure{At: tx.Now, Kind: KindDrop}
		if _, err := deleteMessageByID(tx, letter.MessageID, &e); err != nil {
			return err
		}
		return e.record(tx)
	})
}
