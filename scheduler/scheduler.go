// Package scheduler decides when jobs run. It keeps no state of its own: a ledger remembers the last run of each job,
// so that a process that was asleep for three days runs each job once, not once per missed tick.
package scheduler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
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
	for _, job := range s.Jobs {
		g.Go(func() error { return s.loop(ctx, job) })
	}
	return g.Wait()
}

// loop waits for each due time and runs the job. A failed run is the ledger's and the log's business; a ledger that
// cannot be read or written is tried again at the next due time.
func (s *Scheduler) loop(ctx context.Context, job Job) error {
	last, err := s.Ledger.LastDue(ctx, job.Name)
	if err != nil {
		return fmt.Errorf("read when job %s last ran: %w", job.Name, err)
	}
	if last.IsZero() {
		last = s.Now()
	}
	for {
		due := job.Schedule.Next(last)
		if due.IsZero() {
			return nil // a date that never comes
		}
		if !s.wait(ctx, due) {
			return nil
		}
		now := s.Now()
		if err := s.runOnce(ctx, job, due); err != nil && ctx.Err() == nil {
			s.Log.Error("job failed", "job", job.Name, "error", err)
		}
		// What fell due meanwhile, or while the machine slept, is covered by this run.
		last = latest(due, now)
	}
}

// runOnce runs the job due at due and keeps the ledger. A panic is contained to the run.
func (s *Scheduler) runOnce(ctx context.Context, job Job, due time.Time) (err error) {
	limit := job.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	run, err := s.Ledger.Begin(ctx, job.Name, due)
	if err != nil {
		return fmt.Errorf("note the start: %w", err)
	}
	runCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	result, cause := contained(runCtx, job, run, s.Now())
	// The end is noted even when the process is shutting down.
	if err := s.Ledger.Finish(context.WithoutCancel(ctx), run, result, cause); err != nil {
		return errors.Join(cause, fmt.Errorf("note the end: %w", err))
	}
	return cause
}

// contained runs the job and turns a panic into an error.
func contained(ctx context.Context, job Job, run int64, now time.Time) (result string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return job.Run(ctx, run, now)
}

// clockCheck bounds one wait: a clock that jumps, or a machine that sleeps, is noticed within it.
const clockCheck = time.Minute

// wait returns at due, by the injected clock; false when ctx ended first.
func (s *Scheduler) wait(ctx context.Context, due time.Time) bool {
	for {
		left := due.Sub(s.Now())
		if left <= 0 {
			return ctx.Err() == nil
		}
		t := time.NewTimer(min(left, clockCheck))
		select {
		case <-ctx.Done():
			t.Stop()
			return false
		case <-t.C:
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
