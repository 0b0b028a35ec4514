package jobrun

import (
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Cursor is the last memory of a scope that a job has read. With the world audience it applies to all scopes.
type Cursor struct {
	Job      string
	Audience model.Audience
	Memory   int64
}

// ReadCursor returns the last memory that a job has read in a scope, 0 if it has read none.
func ReadCursor(tx *db.Tx, persona, job string, a model.Audience) (memory int64, err error) {
	err = tx.QueryRow(`SELECT coalesce(max(memory_id), 0) FROM job_marks WHERE persona = ? AND job = ? AND audience = ? AND ref = ?`,
		persona, job, a.Kind, a.Ref).Scan(&memory)
	return memory, err
}

// SaveCursors stores how far a run has read. A cursor that a run moves twice still records where it stood before the
// run.
func SaveCursors(tx *db.Tx, persona string, run int64, read []Cursor) error {
	for _, m := range read {
		if _, err := tx.Exec(`INSERT INTO job_marks (persona, job, audience, ref, memory_id, before_id, job_run_id) VALUES (?, ?, ?, ?, ?, 0, ?)
			ON CONFLICT (persona, job, audience, ref) DO UPDATE SET memory_id = excluded.memory_id, job_run_id = excluded.job_run_id,
				before_id = CASE WHEN job_marks.job_run_id = excluded.job_run_id THEN job_marks.before_id ELSE job_marks.memory_id END
			WHERE excluded.memory_id > job_marks.memory_id`, persona, m.Job, m.Audience.Kind, m.Audience.Ref, m.Memory, run); err != nil {
			return fmt.Errorf("store the cursor of %s: %w", m.Job, err)
		}
	}
	return nil
}
