package jobrun

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/internal/db"
)

// TryClaim claims people of persona for a run and returns those it now holds: the ones that no other active run holds.
// Two runs never hold the same person at once, whatever their job and process. A run holds people until it releases
// them, ends, or its lease expires (see Lease), so a killed process holds them no longer than that. It fails with
// ErrNotFound if the run is not active.
func (s *Store) TryClaim(ctx context.Context, persona string, run int64, people ...int64) (claimed []int64, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("claim people for job run %d", run), func(tx *db.Tx) error {
		claimed = nil
		now := tx.NowMillis()
		if _, err := db.One(tx.QueryRow(`SELECT r.id FROM job_runs r WHERE r.id = ? AND `+isAlive, run, now, now), db.ScanID); err != nil {
			return fmt.Errorf("active job run %d: %w", run, err)
		}
		if _, err := tx.Exec(`DELETE FROM job_claims WHERE job_run_id NOT IN (SELECT r.id FROM job_runs r WHERE `+isAlive+`)`, now, now); err != nil {
			return err
		}
		for _, person := range db.Distinct(people) {
			holder, err := db.One(tx.QueryRow(`INSERT INTO job_claims (persona, person_id, job_run_id) VALUES (?, ?, ?)
				ON CONFLICT (persona, person_id) DO UPDATE SET job_run_id = job_claims.job_run_id RETURNING job_run_id`,
				persona, person, run), db.ScanID)
			if err != nil {
				return err
			}
			if holder == run {
				claimed = append(claimed, person)
			}
		}
		return nil
	})
	return claimed, err
}

// Release releases people that a run has claimed, all of them if none is named.
func (s *Store) Release(ctx context.Context, run int64, people ...int64) error {
	return s.db.Write(ctx, fmt.Sprintf("release people from job run %d", run), func(tx *db.Tx) error {
		return release(tx, run, people...)
	})
}

func release(tx *db.Tx, run int64, people ...int64) error {
	if len(people) == 0 {
		_, err := tx.Exec(`DELETE FROM job_claims WHERE job_run_id = ?`, run)
		return err
	}
	for chunk := range slices.Chunk(people, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		if _, err := tx.Exec(`DELETE FROM job_claims WHERE job_run_id = ? AND person_id IN `+in, append([]any{run}, args...)...); err != nil {
			return err
		}
	}
	return nil
}
