package lore

import (
	"context"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
)

// LastRead returns when something about a topic that everybody may know was last kept from the web, zero for never.
func (s *Store) LastRead(ctx context.Context, persona, topic string) (at time.Time, err error) {
	names := entry.NormalizeEntities([]string{topic})
	if len(names) == 0 {
		return at, nil
	}
	err = s.db.ReadOne(ctx, "find when a topic was read about", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT max(m.created_at) FROM memories m JOIN memory_entities e ON e.memory_id = m.id
			WHERE m.persona = ? AND m.kind = 'web' AND m.audience = 'world' AND e.entity = ?`, persona, names[0]).Scan(db.IntoTime(&at))
	})
	return at, err
}
