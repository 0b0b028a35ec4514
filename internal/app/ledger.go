package app

import (
	"context"
	"errors"
	"time"

	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/scheduler"
)

// A run says that it goes on several times before it would be taken for dead: otherwise this is no constant.
const _ = uint(jobrun.Lease - 3*scheduler.AliveInterval)

// ledger is the store as the scheduler's memory of a persona's jobs.
type ledger struct {
	store   *memory.Store
	persona string
}

// LastDue is the due time of the job's last run, zero when it never ran.
func (l ledger) LastDue(ctx context.Context, job string) (time.Time, error) {
	run, err := l.store.Jobs.LastRun(ctx, l.persona, job)
	if errors.Is(err, memory.ErrNotFound) {
		return time.Time{}, nil
	}
	return run.Due, err
}

// Begin notes that a run starts.
func (l ledger) Begin(ctx context.Context, job string, due time.Time) (int64, error) {
	return l.store.Jobs.BeginRun(ctx, l.persona, job, due)
}

// Alive notes that a run goes on.
func (l ledger) Alive(ctx context.Context, run int64) error { return l.store.Jobs.RenewRun(ctx, run) }

// Finish notes how it ended.
func (l ledger) Finish(ctx context.Context, run int64, result string, cause error) error {
	if cause != nil {
		return l.store.Jobs.FinishRun(ctx, run, jobrun.StatusFailed, cause.Error())
	}
	return l.store.Jobs.FinishRun(ctx, run, jobrun.StatusOK, result)
}
