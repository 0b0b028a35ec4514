package main

import (
	"context"
	"fmt"
	"time"

	"familiar/config"
	"familiar/persona"
	"familiar/scheduler"
)

// jobs is what happens between conversations: one line per job.
func (h *house) jobs(e *persona.Engine) (jobs []scheduler.Job, err error) {
	for _, j := range []struct {
		name string
		when config.Schedule
		run  func(context.Context, time.Time) (string, error)
	}{
		{"session-close", h.cfg.Jobs.SessionClose, inWords(e.CloseIdleOnce)},
	} {
		if j.when.Off() {
			continue
		}
		schedule, err := scheduler.Parse(string(j.when), h.cfg.JobsZone())
		if err != nil {
			return nil, fmt.Errorf("job %s: %w", j.name, err)
		}
		jobs = append(jobs, scheduler.Job{Name: j.name, Schedule: schedule, Run: j.run})
	}
	return jobs, nil
}

// inWords makes a job's result what the ledger keeps.
func inWords[R fmt.Stringer](once func(context.Context, time.Time) (R, error)) func(context.Context, time.Time) (string, error) {
	return func(ctx context.Context, now time.Time) (string, error) {
		result, err := once(ctx, now)
		return result.String(), err
	}
}
