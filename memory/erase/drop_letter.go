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
		m, err := db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ?`, letter.MessageID), log.ScanMessage)
		if err != nil {
			return fmt.Errorf("read its message: %w", err)
		}
		room, err := log.RoomByID(tx, m.RoomID)
		if err != nil {
			return err
		}
		persona, err := db.One(tx.QueryRow(`SELECT persona FROM messages WHERE id = ?`, m.ID), db.ScanText)
		if err != nil {
			return err
		}
		_, err = deleteMessage(tx, persona, m, room)
		return err
	})
}
