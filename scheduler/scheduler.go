// Package scheduler decides when jobs run. It keeps no state of its own: a ledger remembers the last run of each job,
// so that a process that was asleep for three days runs each job once, not once per missed tick.
package scheduler

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"
)

// Job is one piece of background work.
type Job struct {
	// Name is the job's name in the ledger and on the command line.
	Name string
	// Schedule says when it is due.
	Schedule Schedule
	// Run does the work once, as of now, and returns what it did in words for the ledger. run is the ledger's number of
	// this run, for what the work leaves behind.
	Run func(ctx context.Context, run int64, now time.Time) (result string, err error)
	// Limit bounds one run, 0 for DefaultLimit.
	Limit time.Duration
}

// DefaultLimit bounds a run that names no limit: long enough for any nightly job, short enough that a hanging one
// does not block its schedule for a day.
const DefaultLimit = 30 * time.Minute

// Ledger remembers runs durably.
type Ledger interface {
	// LastDue is the due time of the job's last run, zero when it never ran.
	LastDue(ctx context.Context, job string) (time.Time, error)
	// Begin notes that the run due at due starts.
	Begin(ctx context.Context, job string, due time.Time) (run int64, err error)
	// Alive notes that the run is still at work. It is told every AliveEvery; an error ends the run: somebody else may
	// have taken it for dead.
	Alive(ctx context.Context, run int64) error
	// Finish notes how it ended; cause is nil when it went well.
	Finish(ctx context.Context, run int64, result string, cause error) error
}

// Scheduler runs jobs when they are due.
type Scheduler struct {
	Jobs   []Job
	Ledger Ledger
	Now    func() time.Time
	Log    *slog.Logger
}

// Run runs the jobs until ctx ends, each in its own loop, so that a long one delays no other.
func (s *Scheduler) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	late := make(turnstile, 1)
	for _, job := range s.Jobs {
		g.Go(func() error { return s.loop(ctx, job, late) })
	}
	return g.Wait()
}

// loop waits for each due time and runs the job. A failed run is the ledger's and the log's business; a ledger that
// cannot be read or written is tried again at the next due time.
func (s *Scheduler) loop(ctx context.Context, job Job, late turnstile) error {
	last, err := s.Ledger.LastDue(ctx, job.Name)
	if err != nil {
		return fmt.Errorf("read when job %s last ran: %w", job.Name, err)
	}
	for {
		due := s.wait(ctx, job.Schedule, last)
		if due.IsZero() {
			return nil
		}
		if err := s.inTurn(ctx, job, due, late); err != nil && ctx.Err() == nil {
			s.Log.Error("job failed", "job", job.Name, "error", err)
		}
		// What fell due meanwhile, or while the machine slept, is covered by this run.
		last = latest(due, s.Now())
	}
}

// turnstile lets one run at a time through: after a long sleep everything is late at once.
type turnstile chan struct{}

// inTurn runs a job at once when it is on time, else after the others that are late, too.
func (s *Scheduler) inTurn(ctx context.Context, job Job, due time.Time, late turnstile) error {
	if s.Now().Sub(due) > clockCheck {
		select {
		case late <- struct{}{}:
			defer func() { <-late }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	_, err := s.RunOnce(ctx, job, due)
	return err
}

// clockCheck bounds one wait: a clock that jumps, or a machine that sleeps, is noticed within it. What is later than that
// was missed.
const clockCheck = time.Minute

// wait waits, by the injected clock, until the job whose last run was due at last is due again, and returns when that was;
// zero when ctx ended first, and for a date that never comes.
func (s *Scheduler) wait(ctx context.Context, schedule Schedule, last time.Time) time.Time {
	for ctx.Err() == nil {
		now := s.Now()
		last = schedule.anchor(last, now)
		due := schedule.Next(last)
		left := due.Sub(now)
		if left <= 0 { // or zero
			return due
		}
		t := time.NewTimer(min(left, clockCheck))
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
	}
	return time.Time{}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
