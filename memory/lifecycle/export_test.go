package lifecycle

import (
	"context"

	"familiar/memory/internal/db"
)

// LinkTwice runs Link twice, with both runs reading before either writes.
func (s *Store) LinkTwice(ctx context.Context, persona string) (runs [2]LinkResult, err error) {
	batch, err := s.linkInput(ctx, persona)
	for i := range runs {
		if err == nil {
			err = s.db.Write(ctx, "link similar memories", func(tx *db.Tx) error {
				runs[i], err = link(tx, persona, int64(i+1), batch)
				return err
			})
		}
	}
	return runs, err
}
