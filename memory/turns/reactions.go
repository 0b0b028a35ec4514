package turns

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// React stores a reaction and marks its inbox row as done. A person has one reaction per message, the last.
func (s *Store) React(ctx context.Context, persona string, inbox int64, r model.Reaction) error {
	return s.db.Write(ctx, fmt.Sprintf("store a reaction to message %d", r.Message), func(tx *db.Tx) error {
		m, _, err := log.ResolveAction(tx, inbox, r.Message)
		if err != nil || m.Text == "" {
			return err
		}
		if r.Emoji == "" {
			_, err = tx.Exec(`DELETE FROM reactions WHERE message_id = ? AND person_id = ?`, r.Message, r.Person)
			return err
		}
		if _, err := tx.Exec(`INSERT INTO reactions (message_id, person_id, emoji, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (message_id, person_id) DO UPDATE SET emoji = excluded.emoji, at = excluded.at`,
			r.Message, r.Person, r.Emoji, db.Millis(r.At)); err != nil {
			return err
		}
		return relate(tx, persona, r.Relate)
	})
}
