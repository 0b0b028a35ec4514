package entry

import (
	"context"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// MadeOf returns the memories of what was said or told in messages, oldest first, without their sources and entities: for operators.
func (s *Store) MadeOf(ctx context.Context, messages []int64) (memories []model.Memory, err error) {
	in, args := db.Placeholders(messages)
	err = s.db.Read(ctx, "find the memories of messages", func(tx *db.Tx) error {
		memories, err = db.Collect[model.Memory](tx.Query(MemoryColumns+` WHERE m.id IN (SELECT memory_id FROM memory_sources
			WHERE message_id IN `+in+`) AND m.origin <> 'inferred' ORDER BY m.id`, args...))(ScanMemory)
		return err
	})
	return memories, err
}
