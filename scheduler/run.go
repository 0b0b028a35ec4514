package scheduler

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// AliveInterval is how often a run reports to the ledger that it is still working.
const AliveInterval = 30 * time.Second

// errLimit is the cause of a run that exceeded its time limit.
var errLimit = errors.New("it exceeded its time limit")

// ErrStopped is the cause of a run that ended because the process was asked to stop.
var ErrStopped = errors.New("stopped with the process")

// Outcome is the result of a run.
type Outcome struct {
	// Run is its number in the ledger.
	Run int64
	// Result describes what the run did, even if it did not finish.
	Result string
}

// RunOnce runs the job that was due at due, and records the run in the ledger. A panic becomes the run's error, with
// its stack. Once the run has begun, the Outcome is valid even with an error.
func (s *Scheduler) RunOnce(ctx context.Context, job Job, due time.Time) (out Outcome, err error) {
	limit := job.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	if out.Run, err = s.Ledger.Begin(ctx, job.Name, due); err != nil {
		return out, fmt.Errorf("record the start: %w", err)
	}
	runCtx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: %v", errLimit, limit))
	defer cancel()
	runCtx, stop := s.keepAlive(runCtx, out.Run)
	result, cause := runRecovered(runCtx, job, out.Run, s.Now())
	cause = withCause(runCtx, cause)
	if cause != nil && ctx.Err() != nil {
		cause = fmt.Errorf("%w: %w", ErrStopped, cause)
	}
	stop()
	out.Result = result
	if s.Ran != nil {
		s.Ran(job.Name, cause)
	}
	// Record the end even while the process shuts down.
	if err := s.Ledger.Finish(context.WithoutCancel(ctx), out.Run, result, cause); err != nil {
		return out, errors.Join(cause, fmt.Errorf("record the end: %w", err))
	}
	return out, cause
}

// keepAlive reports the run to the ledger until stop is called. It cancels the returned context if the ledger considers
// the run dead.
func (s *Scheduler) keepAlive(ctx context.Context, run int64) (alive context.Context, stop func()) {
	alive, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(AliveInterval)
		defer tick.Stop()
		for {
			select {
			case <-alive.Done():
				return
			case <-tick.C:
				if err := s.Ledger.Alive(alive, run); err != nil {
					cancel(fmt.Errorf("report that the run is alive: %w", err))
				}
			}
		}
	}()
	return alive, func() {
		cancel(nil)
		<-done
	}
}

// runRecovered runs the job and turns a panic into an error.
func runRecovered(ctx context.Context, job Job, run int64, now time.Time) (result string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return job.Run(ctx, run, now)
}

// withCause adds the cause of the context's end to err, if that is why the run failed.
func withCause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); err != nil && why != nil && !errors.Is(err, why) {
		return fmt.Errorf("%w: %w", why, err)
	}
	return err
}
