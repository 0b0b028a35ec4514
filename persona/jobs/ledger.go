package jobs

import (
	"context"
	"errors"
	"time"

	"familiar/memory"
	"familiar/memory/jobrun"
)

// Ledger stores the scheduler's runs for one persona.
type Ledger struct {
	Store   *memory.Store
	Persona string
}

// LastDue returns the due time of the job's last run, zero if it never ran.
func (l Ledger) LastDue(ctx context.Context, job string) (time.Time, error) {
	run, err := l.Store.Jobs.LastRun(ctx, l.Persona, job)
	if errors.Is(err, memory.ErrNotFound) {
		return time.Time{}, nil
	}
	return run.Due, err
}

// Begin records that a run starts.
func (l Ledger) Begin(ctx context.Context, job string, due time.Time) (int64, error) {
	return l.Store.Jobs.BeginRun(ctx, l.Persona, job, due)
}

// Alive records that a run is still working.
func (l Ledger) Alive(ctx context.Context, run int64) error { return l.Store.Jobs.RenewRun(ctx, run) }

// Finish records how a run ended.
func (l Ledger) Finish(ctx context.Context, run int64, result string, cause error) error {
	if cause != nil {
		return l.Store.Jobs.FinishRun(ctx, run, jobrun.StatusFailed, cause.Error())
	}
	return l.Store.Jobs.FinishRun(ctx, run, jobrun.StatusOK, result)
}
