package jobrun

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Status is how a job's run stands.
type Status string

// The statuses of a run.
const (
	StatusRunning Status = "running"
	StatusOK      Status = "ok"
	StatusFailed  Status = "failed"
	// StatusAbandoned is a run whose process ended before it did.
	StatusAbandoned Status = "abandoned"
)

// Lease is how long a run is taken to be at work after it last said so with KeepRun: a process that was killed says
// nothing any more. The clock of the one who said so may have been put back since, and what lies further ahead counts for
// nothing.
const Lease = 2 * time.Minute

// isAlive holds of the runs r that are at work as of now, in milliseconds: its two arguments.
const isAlive = `r.status = 'running' AND r.alive_until BETWEEN ? AND ? + 120000`

// Run is one run of a job.
type Run struct {
	ID int64
	// Persona is whose job it is.
	Persona string
	Job     string
	// Due is the moment of the schedule the run stands for, Started when it began.
	Due, Started time.Time
	// Finished is zero while it runs, and when its process ended before it did and nobody has noted that yet.
	Finished time.Time
	Status   Status
	// Result is what the run says it did, or why it failed.
	Result string
}

// BeginRun notes that a job of persona starts the run that was due at due, and closes the runs whose process ended.
func (s *Store) BeginRun(ctx context.Context, persona, job string, due time.Time) (id int64, err error) {
	err = s.db.Write(ctx, "begin a run of "+job, func(tx *db.Tx) error {
		if _, err := abandonRuns(tx); err != nil {
			return err
		}
		id, err = tx.Insert(`INSERT INTO job_runs (persona, job, due_at, started_at, alive_until, status) VALUES (?, ?, ?, ?, ?, 'running')`,
			persona, job, db.Millis(due), tx.NowMillis(), db.Millis(tx.Now.Add(Lease)))
		return err
	})
	return id, err
}

// RenewRun notes that a run is still at work. It fails with ErrNotFound when it is not running any more: who reads this has
// to stop, since others may have taken over what it had claimed.
func (s *Store) RenewRun(ctx context.Context, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("keep job run %d", id), func(tx *db.Tx) error {
		return changeRun(tx, id, `UPDATE job_runs SET alive_until = ? WHERE id = ? AND status = 'running'`, db.Millis(tx.Now.Add(Lease)), id)
	})
}

// FinishRun notes how a running run ended, RunOK or RunFailed, and lets go of whom it had claimed; ErrNotFound when it is
// not running.
func (s *Store) FinishRun(ctx context.Context, id int64, status Status, result string) error {
	what := fmt.Sprintf("finish job run %d", id)
	if status != StatusOK && status != StatusFailed {
		return fmt.Errorf("%s: status %q is neither %q nor %q", what, status, StatusOK, StatusFailed)
	}
	return s.db.Write(ctx, what, func(tx *db.Tx) error {
		err := changeRun(tx, id, `UPDATE job_runs SET status = ?, result = ?, finished_at = ?
			WHERE id = ? AND status = 'running'`, status, model.CleanText(result), tx.NowMillis(), id)
		if err != nil {
			return err
		}
		return release(tx, id)
	})
}

// changeRun changes the row of a running run.
func changeRun(tx *db.Tx, id int64, query string, args ...any) error {
	n, err := tx.Affect(query, args...)
	if err == nil && n == 0 {
		err = fmt.Errorf("running job run %d: %w", id, db.ErrNotFound)
	}
	return err
}

// AbandonRuns closes the runs whose process ended before they did and returns how many.
func (s *Store) AbandonRuns(ctx context.Context) (int, error) {
	var n int64
	err := s.db.Write(ctx, "abandon the runs left running", func(tx *db.Tx) (err error) {
		n, err = abandonRuns(tx)
		return err
	})
	return int(n), err
}

func abandonRuns(tx *db.Tx) (int64, error) {
	return tx.Affect(`UPDATE job_runs AS r SET status = 'abandoned', finished_at = ?, result = 'the process ended before the run did'
		WHERE r.status = 'running' AND NOT (`+isAlive+`)`, tx.NowMillis(), tx.NowMillis(), tx.NowMillis())
}

// Filter narrows Runs. The zero value is every run of every persona.
type Filter struct {
	Persona, Job string
	// Limit is how many to return, 100 when 0.
	Limit int
}

const selectRuns = `SELECT r.id, r.persona, r.job, r.due_at, r.started_at, r.finished_at,
	CASE WHEN r.status = 'running' AND NOT (` + isAlive + `) THEN 'abandoned' ELSE r.status END, r.result FROM job_runs r WHERE `

// Runs are the runs of jobs, the one that began last first.
func (s *Store) Runs(ctx context.Context, f Filter) (runs []Run, err error) {
	var where db.Conditions
	if f.Persona != "" {
		where.And("r.persona = ?", f.Persona)
	}
	if f.Job != "" {
		where.And("r.job = ?", f.Job)
	}
	err = s.db.Read(ctx, "list the runs of jobs", func(tx *db.Tx) error {
		args := append([]any{db.Millis(s.db.Now()), db.Millis(s.db.Now())}, where.Args...)
		runs, err = db.Collect[Run](tx.Query(selectRuns+where.String()+` ORDER BY r.id DESC LIMIT ? + 0`,
			append(args, db.LimitOr(f.Limit, 100))...))(scanRun)
		return err
	})
	return runs, err
}

// LastRun is the run of a job of persona that began last, ErrNotFound when it never ran.
func (s *Store) LastRun(ctx context.Context, persona, job string) (Run, error) {
	runs, err := s.Runs(ctx, Filter{Persona: persona, Job: job, Limit: 1})
	if err != nil {
		return Run{}, err
	}
	if len(runs) == 0 {
		return Run{}, fmt.Errorf("run of %s: %w", job, db.ErrNotFound)
	}
	return runs[0], nil
}

// Run is the run of a number, ErrNotFound when there is none.
func (s *Store) Run(ctx context.Context, id int64) (run Run, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read job run %d", id), func(tx *db.Tx) error {
		run, err = db.One(tx.QueryRow(selectRuns+`r.id = ?`, db.Millis(s.db.Now()), db.Millis(s.db.Now()), id), scanRun)
		return err
	})
	return run, err
}

func scanRun(row db.Scanner) (r Run, err error) {
	err = row.Scan(&r.ID, &r.Persona, &r.Job, db.IntoTime(&r.Due), db.IntoTime(&r.Started), db.IntoTime(&r.Finished), &r.Status, &r.Result)
	return r, err
}
