// Package scheduler decides when jobs run. It keeps no state: a ledger remembers the last run of each job, so that a
// process that slept for three days runs each job once, not once per missed time.
package scheduler

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"familiar/internal/sleep"

	"golang.org/x/sync/errgroup"
)

// Job is one background task.
type Job struct {
	// Name identifies the job in the ledger and on the command line.
	Name string
	// Schedule says when it is due.
	Schedule Schedule
	// Run does the work once, as of now, and returns a description for the ledger. run is the ledger's number of this
	// run, to label what the work produces.
	Run func(ctx context.Context, run int64, now time.Time) (result string, err error)
	// Limit is the maximum duration of one run, 0 for DefaultLimit.
	Limit time.Duration
}

// DefaultLimit is the time limit of a run without its own: long enough for any nightly job, short enough that a hanging
// run does not block its schedule for a day.
const DefaultLimit = 30 * time.Minute

// Ledger records runs durably.
type Ledger interface {
	// LastDue returns the due time of the job's last run, zero if it never ran.
	LastDue(ctx context.Context, job string) (time.Time, error)
	// Begin records that the run due at due starts.
	Begin(ctx context.Context, job string, due time.Time) (run int64, err error)
	// Alive records that the run is still working. It is called every AliveInterval. An error ends the run: another
	// process may have taken it for dead.
	Alive(ctx context.Context, run int64) error
	// Finish records how the run ended; cause is nil on success.
	Finish(ctx context.Context, run int64, result string, cause error) error
}

// Scheduler runs jobs when they are due.
type Scheduler struct {
	Jobs   []Job
	Ledger Ledger
	Now    func() time.Time
	Log    *slog.Logger
	// Ran, if set, is called after each run; err is nil on success.
	Ran func(job string, err error)
}

// Run runs the jobs until ctx ends, each in its own loop, so that a long job delays no other.
func (s *Scheduler) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	late := make(semaphore, 1)
	for _, job := range s.Jobs {
		g.Go(func() error { return s.loop(ctx, job, late) })
	}
	return g.Wait()
}

// CatchUp runs each job that is due once, one after another in the order of Jobs. A failed run is recorded and logged.
// Called before Run, it leaves nothing late to run next to what starts with Run.
func (s *Scheduler) CatchUp(ctx context.Context) error {
	for _, job := range s.Jobs {
		last, err := s.lastDue(ctx, job)
		if err != nil {
			return err
		}
		now := s.Now()
		due := job.Schedule.Due(last, now)
		if due.IsZero() || due.After(now) {
			continue
		}
		if _, err := s.RunOnce(ctx, job, job.Schedule.lastBefore(due, now)); err != nil && ctx.Err() == nil {
			s.logFailure(job, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// lastDue returns when the job's last run was due, zero if it never ran.
func (s *Scheduler) lastDue(ctx context.Context, job Job) (time.Time, error) {
	last, err := s.Ledger.LastDue(ctx, job.Name)
	if err != nil {
		return last, fmt.Errorf("read when job %s last ran: %w", job.Name, err)
	}
	return last, nil
}

func (s *Scheduler) logFailure(job Job, err error) {
	s.Log.Error("job failed", "job", job.Name, "error", err)
}

// loop waits for each due time and runs the job. A failed run is recorded and logged; if the ledger itself fails, the
// job is retried at the next due time.
func (s *Scheduler) loop(ctx context.Context, job Job, late semaphore) error {
	last, err := s.lastDue(ctx, job)
	if err != nil {
		return err
	}
	for {
		due := s.wait(ctx, job.Schedule, last)
		if due.IsZero() {
			return nil
		}
		if err := s.runInTurn(ctx, job, due, late); err != nil && ctx.Err() == nil {
			s.logFailure(job, err)
		}
		// This run also covers due times that passed while it ran or while the machine slept.
		last = latest(due, s.Now())
	}
}

// semaphore admits one run at a time: after a long sleep every job is late at once.
type semaphore chan struct{}

// runInTurn runs a job at once if it is on time, otherwise after the other late jobs.
func (s *Scheduler) runInTurn(ctx context.Context, job Job, due time.Time, late semaphore) error {
	if s.Now().Sub(due) > maxWait {
		select {
		case late <- struct{}{}:
			defer func() { <-late }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	_, err := s.RunOnce(ctx, job, job.Schedule.lastBefore(due, s.Now()))
	return err
}

// maxWait is the longest single wait, so that a clock change or a machine's sleep is noticed. A run later than this
// counts as missed.
const maxWait = time.Minute

// wait waits, by the injected clock, until the job whose last run was due at last is due again, and returns that time;
// zero if ctx ended first or there is no next time.
func (s *Scheduler) wait(ctx context.Context, schedule Schedule, last time.Time) time.Time {
	for ctx.Err() == nil {
		now := s.Now()
		last = schedule.anchor(last, now)
		due := schedule.Next(last)
		left := due.Sub(now)
		if left <= 0 { // or the next time is zero
			return due
		}
		sleep.For(ctx, min(left, maxWait))
	}
	return time.Time{}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
