package jobrun

import (
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Mark says how far a job has read a scope: up to which memory. With the audience World it says so of all scopes.
type Cursor struct {
	Job      string
	Audience model.Audience
	Memory   int64
}

// marked is how far a job has read a scope, 0 when it never did.
func ReadCursor(tx *db.Tx, persona, job string, a model.Audience) (memory int64, err error) {
	err = tx.QueryRow(`SELECT coalesce(max(memory_id), 0) FROM job_marks WHERE persona = ? AND job = ? AND audience = ? AND ref = ?`,
		persona, job, a.Kind, a.Ref).Scan(&memory)
	return memory, err
}

// noteMarks notes how far a run has read. A mark that a run moves twice still knows how far it stood before the run.
func SaveCursors(tx *db.Tx, persona string, run int64, read []Cursor) error {
	for _, m := range read {
		if _, err := tx.Exec(`INSERT INTO job_marks (persona, job, audience, ref, memory_id, before_id, job_run_id) VALUES (?, ?, ?, ?, ?, 0, ?)
			ON CONFLICT (persona, job, audience, ref) DO UPDATE SET memory_id = excluded.memory_id, job_run_id = excluded.job_run_id,
				before_id = CASE WHEN job_run_id = excluded.job_run_id THEN before_id ELSE memory_id END
			WHERE excluded.memory_id > job_marks.memory_id`, persona, m.Job, m.Audience.Kind, m.Audience.Ref, m.Memory, run); err != nil {
			return fmt.Errorf("note how far %s has read: %w", m.Job, err)
		}
	}
	return nil
}
