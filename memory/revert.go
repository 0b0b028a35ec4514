package memory

import (
	"context"
	"fmt"
)

// Reverted counts what was taken back of a job's run.
type Reverted struct{ Memories, Edges int }

// Revert takes back what a run of a job made: its memories, what rests on them, and its edges. What it had moved between
// tiers stays. ErrNotFound when nothing of the run is left.
func (s *Store) Revert(ctx context.Context, persona string, run int64) (r Reverted, err error) {
	err = s.write(ctx, fmt.Sprintf("take back job run %d", run), func(tx *conn) error {
		made, err := collect[placed](tx.rows(placedColumns+`m.job_run_id = ? AND m.persona = ? AND m.origin = 'inferred'`, run, persona))(scanPlaced)
		if err != nil {
			return err
		}
		ends, err := collect[placed](tx.rows(placedColumns+`m.persona = ? AND m.id IN
			(SELECT from_id FROM memory_edges WHERE job_run_id = ?)`, persona, run))(scanPlaced)
		if err != nil {
			return err
		}
		if len(made)+len(ends) == 0 {
			return fmt.Errorf("what it made: %w", ErrNotFound)
		}
		edges, err := tx.affect(`DELETE FROM memory_edges WHERE job_run_id = ? AND from_id IN (SELECT id FROM memories WHERE persona = ?)`, run, persona)
		if err != nil {
			return err
		}
		gone, err := tx.drop(made)
		r = Reverted{Memories: len(gone), Edges: int(edges)}
		if err != nil {
			return err
		}
		return tx.advanceEach(ends, ScopeRevision{Edges: 1})
	})
	return r, err
}
