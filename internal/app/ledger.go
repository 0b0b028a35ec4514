package app

import (
	"context"
	"errors"
	"time"

	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/scheduler"
)

// This constant is negative, and does not compile, unless a run renews its lease at least three times before it
// expires.
const _ = uint(jobrun.Lease - 3*scheduler.AliveInterval)

// ledger stores the scheduler's runs for one persona.
type ledger struct {
	store   *memory.Store
	persona string
}

// LastDue returns the due time of the job's last run, zero if it never ran.
func (l ledger) LastDue(ctx context.Context, job string) (time.Time, error) {
	run, err := l.store.Jobs.LastRun(ctx, l.persona, job)
	if errors.Is(err, memory.ErrNotFound) {
		return time.Time{}, nil
	}
	return run.Due, err
}

// Begin records that a run starts.
func (l ledger) Begin(ctx context.Context, job string, due time.Time) (int64, error) {
	return l.store.Jobs.BeginRun(ctx, l.persona, job, due)
}

// Alive records that a run is still working.
func (l ledger) Alive(ctx context.Context, run int64) error { return l.store.Jobs.RenewRun(ctx, run) }

// Finish records how a run ended.
func (l ledger) Finish(ctx context.Context, run int64, result string, cause error) error {
	if cause != nil {
		return l.store.Jobs.FinishRun(ctx, run, jobrun.StatusFailed, cause.Error())
	}
	return l.store.Jobs.FinishRun(ctx, run, jobrun.StatusOK, result)
}
