package jobrun

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/internal/db"
)

// TryClaim claims people of persona for a run and returns those it has now: the ones that no other run at work has. Two
// runs, of whatever jobs and in whatever processes, never have the same person at once. A run has them until it lets them
// go, ends, or is taken for dead, see RunLease; so a process that was killed keeps nobody for longer than that. It fails
// with ErrNotFound when the run is not at work.
func (s *Store) TryClaim(ctx context.Context, persona string, run int64, people ...int64) (claimed []int64, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("claim people for job run %d", run), func(tx *db.Tx) error {
		claimed = nil
		now := tx.NowMillis()
		if _, err := db.One(tx.QueryRow(`SELECT r.id FROM job_runs r WHERE r.id = ? AND `+isAlive, run, now, now), db.ScanID); err != nil {
			return fmt.Errorf("job run %d at work: %w", run, err)
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

// Release lets go of people a run has claimed, of everybody when none is named.
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
