package memory

import (
	"context"
	"fmt"
	"time"
)

// RunStatus is how a job's run stands.
type RunStatus string

// The statuses of a run.
const (
	RunRunning RunStatus = "running"
	RunOK      RunStatus = "ok"
	RunFailed  RunStatus = "failed"
	// RunAbandoned is a run whose process ended before it did.
	RunAbandoned RunStatus = "abandoned"
)

// JobRun is one run of a scheduled job.
type JobRun struct {
	ID  int64
	Job string
	// Due is the moment of the schedule the run stands for, Started when it began.
	Due, Started time.Time
	// Finished is zero while it runs.
	Finished time.Time
	Status   RunStatus
	// Result is what the run says it did, or why it failed.
	Result string
}

// BeginRun notes that job starts the run that was due at due.
func (s *Store) BeginRun(ctx context.Context, job string, due time.Time) (id int64, err error) {
	err = s.write(ctx, "begin a run of "+job, func(tx *conn) error {
		id, err = tx.insert(`INSERT INTO job_runs (job, due_at, started_at, status) VALUES (?, ?, ?, 'running')`,
			job, ms(due), tx.nowMS())
		return err
	})
	return id, err
}

// FinishRun notes how a running run ended, RunOK or RunFailed; ErrNotFound when it is not running.
func (s *Store) FinishRun(ctx context.Context, id int64, status RunStatus, result string) error {
	what := fmt.Sprintf("finish job run %d", id)
	if status != RunOK && status != RunFailed {
		return fmt.Errorf("%s: status %q is neither %q nor %q", what, status, RunOK, RunFailed)
	}
	return s.write(ctx, what, func(tx *conn) error {
		n, err := tx.affect(`UPDATE job_runs SET status = ?, result = ?, finished_at = ?
			WHERE id = ? AND status = 'running'`, status, clean(result), tx.nowMS(), id)
		if err == nil && n == 0 {
			err = fmt.Errorf("running job run %d: %w", id, ErrNotFound)
		}
		return err
	})
}

// AbandonRuns closes the runs that a process before this one left running and returns how many. The serving process
// calls it once, before it starts any job.
func (s *Store) AbandonRuns(ctx context.Context) (int, error) {
	var n int64
	err := s.write(ctx, "abandon the runs left running", func(tx *conn) (err error) {
		n, err = tx.affect(`UPDATE job_runs SET status = 'abandoned', finished_at = ?,
			result = 'the process ended before the run did' WHERE status = 'running'`, tx.nowMS())
		return err
	})
	return int(n), err
}

// LastRun returns the run of job that was due last, ErrNotFound when it never ran.
func (s *Store) LastRun(ctx context.Context, job string) (JobRun, error) {
	runs, err := s.Runs(ctx, job, 1)
	if err != nil {
		return JobRun{}, err
	}
	if len(runs) == 0 {
		return JobRun{}, fmt.Errorf("run of %s: %w", job, ErrNotFound)
	}
	return runs[0], nil
}

// Runs returns up to limit runs of job, the one due last first.
func (s *Store) Runs(ctx context.Context, job string, limit int) ([]JobRun, error) {
	var out []JobRun
	err := s.read(ctx, "read the runs of "+job, func(tx *conn) (err error) {
		out, err = collect[JobRun](tx.rows(`SELECT id, job, due_at, started_at, finished_at, status, result FROM job_runs
			WHERE job = ? ORDER BY due_at DESC, id DESC LIMIT ? + 0`, job, limit))(scanRun)
		return err
	})
	return out, err
}

func scanRun(row scanner) (r JobRun, err error) {
	err = row.Scan(&r.ID, &r.Job, intoTime(&r.Due), intoTime(&r.Started), intoTime(&r.Finished), &r.Status, &r.Result)
	return r, err
}
