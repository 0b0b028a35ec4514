package entry

import (
	"context"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// FillAnalyses gives those of some memories that which holds of the stored analysis of the message each was made of, where
// that still has the same text.
func (s *Store) FillAnalyses(ctx context.Context, memories []model.Memory, which func(model.Memory) bool) error {
	at := map[int64]int{}
	var ids []int64
	for i, m := range memories {
		if m.Origin == model.OriginMessage && which(m) {
			at[m.ID], ids = i, append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.db.Read(ctx, "read what was understood of memories", func(tx *db.Tx) error {
		for chunk := range slices.Chunk(ids, db.MaxArgs) {
			in, args := db.Placeholders(chunk)
			_, err := db.Collect[int64](tx.Query(`SELECT m.id, w.analysis, w.analysis_version FROM memories m
				JOIN memory_sources s ON s.memory_id = m.id JOIN messages w ON w.id = s.message_id
				WHERE m.id IN `+in+` AND w.text = m.text ORDER BY m.id, s.message_id`, args...))(func(row db.Scanner) (id int64, err error) {
				var a model.StoredAnalysis
				if err = row.Scan(&id, &a.JSON, &a.Version); err == nil {
					memories[at[id]].Stored = a
				}
				return id, err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
