package recall

import (
	"context"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// MemoriesFor lists what may be heard in a place, the salient before the rest and the newest first within both; 20 when
// limit is 0. Replaced versions are left out, and what is never recalled.
func (s *Store) MemoriesFor(ctx context.Context, h scope.Visibility, limit int) (memories []model.Memory, err error) {
	err = s.db.Read(ctx, "list what is remembered here", func(tx *db.Tx) error {
		memories, err = topBySalience(tx, h, scope.RecallableKinds, nil, db.LimitOr(limit, 20))
		return err
	})
	return memories, err
}
