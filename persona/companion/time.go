package companion

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/memory/lifecycle"
	"familiar/persona/jobs"
	"familiar/persona/modelvoice"
	"familiar/scheduler"
)

// hourly is when the jobs run that a served home runs every few minutes: nobody waits in a game that skips a day.
const hourly = "50 * * * *"

// schedule prepares the jobs that the options allow, at the times that a new home has.
func (c *Companion) schedule(o Options) error {
	usual := config.Default().Jobs
	c.ledger = &scheduler.Scheduler{Ledger: jobs.Ledger{Store: c.store, Persona: o.Card.Key}, Now: c.clock.Now, Log: o.Log}
	work := jobs.Work{
		Proactive: jobs.Proactive{Deps: jobs.Deps{Parts: c.engine.Parts}, Hears: func(context.Context, channels.Message) bool { return true }, Wake: c.engine.Wake},
		Sessions:  c.engine.Sessions(), Embed: c.embedOnce,
	}
	c.ran = map[string]time.Time{}
	for _, j := range jobs.List(work) {
		if j.Needs == jobs.Model && o.Model == nil || j.Needs == jobs.Embedder && o.Embedder == nil || usual.Of(j.Name).Off() {
			continue
		}
		spec := string(usual.Of(j.Name))
		if strings.HasPrefix(spec, "*/") {
			spec = hourly
		}
		timetable, err := scheduler.Parse(spec, o.Zone)
		if err != nil {
			return fmt.Errorf("schedule job %s: %w", j.Name, err)
		}
		c.ran[j.Name] = o.Start
		c.jobs = append(c.jobs, scheduler.Job{Name: j.Name, Schedule: timetable, Run: func(ctx context.Context, run int64, now time.Time) (string, error) {
			limit := modelvoice.NewBudget(usual.TokensPerRun)
			result, err := j.Run(modelvoice.WithJob(modelvoice.WithBudget(ctx, limit), j.Name), run, now)
			if errors.Is(err, modelvoice.ErrBudgetSpent) {
				return "stopped: " + err.Error(), nil
			}
			if result == nil {
				return "", err
			}
			return result.String(), err
		}})
	}
	return nil
}

// embedOnce makes missing vectors.
func (c *Companion) embedOnce(ctx context.Context, _ int64, _ time.Time) (fmt.Stringer, error) {
	done, err := c.store.EmbedWaiting(ctx, c.embed, 0)
	return embedded(done), err
}

type embedded lifecycle.EmbeddingCounts

// String describes a run for the ledger.
func (e embedded) String() string { return fmt.Sprintf("%d vectors", e.Vectors) }

// due is when something happens by itself.
type due struct {
	at  time.Time
	job *scheduler.Job // nil for a reminder
}

// Advance lets time pass: jobs that fall due run at their times, one after another, reminders and messages about plans go
// to Options.Deliver, and then it is d later. The work follows from what happened, not from d: a job that finds nothing new
// costs next to nothing. If ctx ends, the persona's time stands where it came to.
func (c *Companion) Advance(ctx context.Context, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("advance a companion by %v: time does not go back", d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.clock.Now().Add(d)
	for {
		next, err := c.next(ctx)
		if err != nil {
			return err
		}
		if next.at.IsZero() || next.at.After(until) {
			break
		}
		c.clock.set(latest(next.at, c.clock.Now()))
		if next.job != nil {
			c.ran[next.job.Name] = next.at
			if _, err := c.ledger.RunOnce(ctx, *next.job, next.at); err != nil {
				return fmt.Errorf("run job %s: %w", next.job.Name, err)
			}
		}
		if err := c.engine.Drain(ctx); err != nil {
			return fmt.Errorf("let the persona finish: %w", err)
		}
	}
	c.clock.set(until)
	return nil
}

// next returns what is due next, after saying the reminders that are due now.
func (c *Companion) next(ctx context.Context) (first due, err error) {
	if first.at, err = c.engine.SayReminders(ctx); err != nil {
		return first, fmt.Errorf("say reminders: %w", err)
	}
	if err := c.engine.Drain(ctx); err != nil {
		return first, fmt.Errorf("let the persona finish: %w", err)
	}
	for i := range c.jobs {
		at := c.jobs[i].Schedule.Next(c.ran[c.jobs[i].Name])
		if !at.IsZero() && (first.at.IsZero() || at.Before(first.at)) {
			first = due{at, &c.jobs[i]}
		}
	}
	return first, nil
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
