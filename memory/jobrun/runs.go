package jobrun

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Status is the state of a run.
type Status string

// The states of a run.
const (
	StatusRunning Status = "running"
	StatusOK      Status = "ok"
	StatusFailed  Status = "failed"
	// StatusAbandoned is a run whose process ended before the run did.
	StatusAbandoned Status = "abandoned"
)

// Lease is how long a run counts as active after its last RenewRun, since a killed process does not report its end. If
// the clock was set back since, a lease that ends later than this from now does not count.
const Lease = 2 * time.Minute

// isAlive is the condition that run r is active. Its two arguments are both the current time in milliseconds.
const isAlive = `r.status = 'running' AND r.alive_until BETWEEN ? AND ? + 120000`

// Run is one run of a job.
type Run struct {
	ID int64
	// Persona is the persona that the job works for.
	Persona string
	Job     string
	// Due is the scheduled time of the run, Started its actual start.
	Due, Started time.Time
	// Finished is zero while the run is active, and after its process was killed until that is recorded.
	Finished time.Time
	Status   Status
	// Result is the run's summary of what it did, or why it failed.
	Result string
}

// BeginRun records that a job of persona starts the run scheduled for due, and closes runs whose process ended.
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

// RenewRun extends the lease of a run. It fails with ErrNotFound if the run is no longer active. The run must then
// stop, since others may hold the people it had claimed.
func (s *Store) RenewRun(ctx context.Context, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("renew job run %d", id), func(tx *db.Tx) error {
		return changeRun(tx, id, `UPDATE job_runs SET alive_until = ? WHERE id = ? AND status = 'running'`, db.Millis(tx.Now.Add(Lease)), id)
	})
}

// FinishRun records how a run ended, StatusOK or StatusFailed, and releases the people it had claimed. It fails with
// ErrNotFound if the run is not active.
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

// changeRun updates the row of an active run.
func changeRun(tx *db.Tx, id int64, query string, args ...any) error {
	n, err := tx.Affect(query, args...)
	if err == nil && n == 0 {
		err = fmt.Errorf("running job run %d: %w", id, db.ErrNotFound)
	}
	return err
}

// AbandonRuns closes the runs whose process ended before they did and returns their number.
func (s *Store) AbandonRuns(ctx context.Context) (int, error) {
	var n int64
	err := s.db.Write(ctx, "close abandoned job runs", func(tx *db.Tx) (err error) {
		n, err = abandonRuns(tx)
		return err
	})
	return int(n), err
}

func abandonRuns(tx *db.Tx) (int64, error) {
	return tx.Affect(`UPDATE job_runs AS r SET status = 'abandoned', finished_at = ?, result = 'the process ended before the run did'
		WHERE r.status = 'running' AND NOT (`+isAlive+`)`, tx.NowMillis(), tx.NowMillis(), tx.NowMillis())
}

// Filter narrows Runs. The zero value selects all runs of all personas.
type Filter struct {
	Persona, Job string
	// Before selects runs with an ID below it, for the next page.
	Before int64
	// Limit is the maximum number of runs, 100 when 0.
	Limit int
}

const selectRuns = `SELECT r.id, r.persona, r.job, r.due_at, r.started_at, r.finished_at,
	CASE WHEN r.status = 'running' AND NOT (` + isAlive + `) THEN 'abandoned' ELSE r.status END, r.result FROM job_runs r WHERE `

// Runs returns job runs, the latest first.
func (s *Store) Runs(ctx context.Context, f Filter) (runs []Run, err error) {
	var where db.Conditions
	if f.Persona != "" {
		where.And("r.persona = ?", f.Persona)
	}
	if f.Job != "" {
		where.And("r.job = ?", f.Job)
	}
	if f.Before != 0 {
		where.And("r.id < ?", f.Before)
	}
	err = s.db.Read(ctx, "list job runs", func(tx *db.Tx) error {
		args := append([]any{db.Millis(s.db.Now()), db.Millis(s.db.Now())}, where.Args...)
		runs, err = db.Collect[Run](tx.Query(selectRuns+where.String()+` ORDER BY r.id DESC LIMIT ? + 0`,
			append(args, db.LimitOr(f.Limit, 100))...))(scanRun)
		return err
	})
	return runs, err
}

// LastRuns returns the latest run of each of a persona's jobs, by name of the job.
func (s *Store) LastRuns(ctx context.Context, persona string) (runs []Run, err error) {
	err = s.db.Read(ctx, "list the last job runs", func(tx *db.Tx) error {
		now := db.Millis(s.db.Now())
		runs, err = db.Collect[Run](tx.Query(selectRuns+`r.id IN (SELECT max(id) FROM job_runs WHERE persona = ? GROUP BY job) ORDER BY r.job`,
			now, now, persona))(scanRun)
		return err
	})
	return runs, err
}

// LastRun returns the latest run of a persona's job. It fails with ErrNotFound if the job never ran.
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

// Run returns a run by ID. It fails with ErrNotFound if there is none.
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
