package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Reverted counts what was taken back of a job's run.
type Reverted struct{ Memories, Edges int }

// Revert takes back what a run of a job made: its memories, what rests on them, newer versions included, and its edges. What
// it had made newer versions of holds again, what it strengthened lasts as long as before, and what it had read, if no
// later run has, is read anew; what it had moved between tiers stays. ErrNotFound when nothing of the run is left.
func (s *Store) Revert(ctx context.Context, persona string, run int64) (r Reverted, err error) {
	err = s.write(ctx, fmt.Sprintf("take back job run %d", run), func(tx *conn) error {
		made, err := collect[placed](tx.rows(placedColumns+`m.id IN (WITH RECURSIVE made(id) AS (
			SELECT id FROM memories WHERE job_run_id = ? AND persona = ? AND origin = 'inferred'
			UNION SELECT m.superseded_by FROM made JOIN memories m ON m.id = made.id WHERE m.superseded_by IS NOT NULL)
			SELECT id FROM made) ORDER BY m.id`, run, persona))(scanPlaced)
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
		if err := errors.Join(tx.takeBackMarks(persona, run), tx.unrehearse(persona, run)); err != nil {
			return err
		}
		edges, err := tx.affect(`DELETE FROM memory_edges WHERE job_run_id = ? AND from_id IN (SELECT id FROM memories WHERE persona = ?)`, run, persona)
		if err != nil {
			return err
		}
		if err := tx.reinstate(made); err != nil {
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

// reinstate lets what made took the place of hold again, with the edges it had.
func (c *conn) reinstate(made []placed) error {
	ids := idsOf(made)
	for _, newer := range slices.Backward(ids) { // a version gives its edges to the one before it
		var older int64
		if err := c.row(`SELECT coalesce(supersedes, 0) FROM memories WHERE id = ?`, newer).Scan(&older); err != nil {
			return err
		}
		if older == 0 {
			continue
		}
		if err := c.succeed(newer, older); err != nil {
			return err
		}
		if slices.Contains(ids, older) {
			continue
		}
		if _, err := c.exec(`UPDATE memories SET superseded_by = NULL WHERE id = ?`, older); err != nil {
			return err
		}
	}
	return nil
}
