package virtual

import (
	"context"
	"errors"
	"time"

	"familiar/persona"
	"familiar/scheduler"
)

// While runs the engine until do returns.
func While(ctx context.Context, engine *persona.Engine, do func() error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- engine.Run(ctx) }()
	err := do()
	stop()
	return errors.Join(err, <-ended)
}

// day is the interval after which a more frequent job runs again while nobody talks, because it has nothing new to do
// earlier.
const day = 24 * time.Hour

// RunJobs moves the clock forward to until and runs the jobs meanwhile. Each runs when it is first due after from, and then
// at least a day apart, because frequent jobs find nothing to do while nobody talks. A job that fails is passed to failed
// and does not stop the others.
func (c *Clock) RunJobs(ctx context.Context, jobs *scheduler.Scheduler, from, until time.Time, failed func(job string, at time.Time, err error)) error {
	due := make([]time.Time, len(jobs.Jobs))
	for i, j := range jobs.Jobs {
		due[i] = j.Schedule.Next(from)
	}
	for {
		next := -1
		for i, at := range due {
			if at.Before(until) && !at.IsZero() && (next < 0 || at.Before(due[next])) {
				next = i
			}
		}
		if next < 0 {
			return ctx.Err()
		}
		job, at := jobs.Jobs[next], due[next]
		c.Pass(at)
		if _, err := jobs.RunOnce(ctx, job, at); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failed(job.Name, at, err)
		}
		due[next] = job.Schedule.Next(at.Add(day - time.Second))
	}
}
