package scheduler

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// AliveEvery is how often the ledger is told that a run is still at work.
const AliveEvery = 30 * time.Second

// errLimit is why a run ends that took too long.
var errLimit = errors.New("it took longer than it may")

// Outcome is what a run came to.
type Outcome struct {
	// Run is its number in the ledger.
	Run int64
	// Result is what it did in words, as far as it came.
	Result string
}

// RunOnce runs the job due at due, now, and keeps the ledger. A panic is contained to the run: it is its error, with the
// stack. The Outcome stands beside an error, too, once the run has begun.
func (s *Scheduler) RunOnce(ctx context.Context, job Job, due time.Time) (out Outcome, err error) {
	limit := job.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	if out.Run, err = s.Ledger.Begin(ctx, job.Name, due); err != nil {
		return out, fmt.Errorf("note the start: %w", err)
	}
	runCtx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: %v", errLimit, limit))
	defer cancel()
	runCtx, stop := s.keepAlive(runCtx, out.Run)
	result, cause := contained(runCtx, job, out.Run, s.Now())
	cause = explained(runCtx, cause)
	stop()
	out.Result = result
	// The end is noted even when the process is shutting down.
	if err := s.Ledger.Finish(context.WithoutCancel(ctx), out.Run, result, cause); err != nil {
		return out, errors.Join(cause, fmt.Errorf("note the end: %w", err))
	}
	return out, cause
}

// keepAlive tells the ledger of the run until stop, and ends the context it returns when the ledger takes the run for dead.
func (s *Scheduler) keepAlive(ctx context.Context, run int64) (alive context.Context, stop func()) {
	alive, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(AliveEvery)
		defer tick.Stop()
		for {
			select {
			case <-alive.Done():
				return
			case <-tick.C:
				if err := s.Ledger.Alive(alive, run); err != nil {
					cancel(fmt.Errorf("note that it goes on: %w", err))
				}
			}
		}
	}()
	return alive, func() {
		cancel(nil)
		<-done
	}
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

// explained is why a run failed, with why its context ended when that is what it failed of.
func explained(ctx context.Context, err error) error {
	if why := context.Cause(ctx); err != nil && why != nil && !errors.Is(err, why) {
		return fmt.Errorf("%w: %w", why, err)
	}
	return err
}
