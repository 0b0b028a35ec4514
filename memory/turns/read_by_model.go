package turns

import (
	"context"
	"slices"

	"familiar/memory/internal/db"
)

// ReadByModel says which messages and memories a model has read: what mattered in them was filed.
type ReadByModel struct {
	// Messages and Memories hold the IDs of those that were read. A memory was read if all its sources were.
	Messages, Memories map[int64]bool
}

// ReadByModel returns which of some messages and memories a model has read.
func (s *Store) ReadByModel(ctx context.Context, messages, memories []int64) (read ReadByModel, err error) {
	err = s.db.Read(ctx, "read what a model has read", func(tx *db.Tx) error {
		read.Messages, err = readAmong(tx, `SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id
			WHERE m.id <= s.read_to AND m.id IN `, messages, ``)
		if err != nil {
			return err
		}
		read.Memories, err = readAmong(tx, `SELECT x.memory_id FROM memory_sources x JOIN messages m ON m.id = x.message_id
			LEFT JOIN sessions s ON s.id = m.session_id WHERE x.memory_id IN `, memories, ` GROUP BY x.memory_id HAVING min(m.id <= coalesce(s.read_to, 0))`)
		return err
	})
	return read, err
}

// readAmong returns which ids a query selects, which is continued with them and then with after.
func readAmong(tx *db.Tx, query string, ids []int64, after string) (map[int64]bool, error) {
	read := make(map[int64]bool, len(ids))
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		some, err := db.Collect[int64](tx.Query(query+in+after, args...))(db.ScanID)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			read[id] = true
		}
	}
	return read, nil
}
