package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/spelling"
	"familiar/memory"
	"familiar/memory/budget"
	"familiar/memory/jobrun"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/jobs"
	"familiar/persona/modelvoice"
	"familiar/scheduler"
)

// This constant is negative, and does not compile, unless a run renews its lease at least three times before it
// expires.
const _ = uint(jobrun.Lease - 3*scheduler.AliveInterval)

// jobFunc runs a job and returns its result as text.
type jobFunc func(ctx context.Context, run int64, now time.Time) (string, error)

// Task is one job with its schedule.
type Task struct {
	Name     string
	Schedule config.Schedule
	// Zone returns the timezone of the schedule as it is now: the persona's card may change while it is served.
	Zone func() *time.Location
	Run  jobFunc
	// Needs names what the job requires and the configuration lacks, "" for nothing. A job with a missing requirement
	// is never due.
	Needs string
}

// Tasks returns all jobs with their schedules and missing requirements.
func (a *App) Tasks(e *persona.Engine) (tasks []Task) {
	zone := func() *time.Location { return a.jobsZone(e.Engine(e.Card.Key).Card) }
	lacks := map[jobs.Need]string{jobs.Model: a.missingModel(), jobs.Embedder: a.missingEmbedder()}
	for i, j := range jobs.List(a.jobDeps(e)) {
		if a.guest && j.Shared {
			continue
		}
		run := func(ctx context.Context, run int64, now time.Time) (string, error) {
			current := jobs.List(a.jobDeps(e.Engine(e.Card.Key))) // with the card as it is now
			result, err := textResult(current[i])(ctx, run, now)
			if current[i].Name == "vanish" {
				err = errors.Join(err, a.noteErasures(ctx, now))
			}
			return result, err
		}
		tasks = append(tasks, Task{j.Name, a.Config.Jobs.Of(j.Name), zone, run, lacks[j.Needs]})
	}
	if a.guest {
		return tasks
	}
	schedule := a.Config.Backup.Schedule
	if !a.inHome() {
		schedule = config.Never
	}
	return append(tasks, Task{Name: "backup", Schedule: schedule, Zone: zone, Run: a.backUp})
}

// jobDeps returns what the jobs work with. The persona writes first only to people whom the policy allows.
func (a *App) jobDeps(e *persona.Engine) jobs.Work {
	night, gate := jobs.Deps{Parts: e.Parts}, a.PolicyGate()
	gate.ForAdults = func(context.Context, channels.Message) (bool, error) { return e.Card.Adult, nil }
	return jobs.Work{
		Proactive: jobs.Proactive{Deps: night, Hears: gate.Allows, Wake: e.Wake}, Sessions: e.Sessions(), Embed: a.embed, Learning: a.learning(),
	}
}

// textResult wraps a job so that its result is text for the ledger.
func textResult(j jobs.Job) jobFunc {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		result, err := j.Run(ctx, run, now)
		if result == nil {
			return "", err
		}
		return result.String(), err
	}
}

// Off reports whether the job is never due.
func (t Task) Off() bool { return t.Needs != "" || t.Schedule.Off() }

// Jobs returns the scheduled jobs, without those that are off.
func (a *App) Jobs(e *persona.Engine) (due []scheduler.Job, err error) {
	for _, t := range a.Tasks(e) {
		if t.Off() {
			continue
		}
		job, err := a.Job(t)
		if err != nil {
			return nil, err
		}
		due = append(due, job)
	}
	return due, nil
}

// Job converts a task for the scheduler. A task that is off is never due.
func (a *App) Job(t Task) (job scheduler.Job, err error) {
	job = scheduler.Job{Name: t.Name, Run: a.WithinBudget(t.Name, t.Run)}
	if !t.Off() {
		if job.Schedule, err = scheduler.Following(string(t.Schedule), t.Zone); err != nil {
			err = fmt.Errorf("job %s: %w", t.Name, err)
		}
	}
	return job, err
}

// Scheduler returns a scheduler that runs jobs and keeps the store's ledger.
func (a *App) Scheduler(due ...scheduler.Job) *scheduler.Scheduler {
	s := &scheduler.Scheduler{Jobs: due, Ledger: jobs.Ledger{Store: a.Store, Persona: a.Card.Key}, Now: a.Now, Log: a.Log}
	if a.Metrics != nil {
		s.Ran = a.Metrics.Run
	}
	return s
}

// jobsZone returns the timezone of the schedules of the persona with that card.
func (a *App) jobsZone(c *card.Card) *time.Location {
	if zone := a.Config.Jobs.Timezone.Location; zone != nil {
		return zone
	}
	return a.zoneOf(c)
}

// WithinBudget limits each run of the job of that name to its own number of tokens. The result contains the model usage,
// and whether the run stopped at the limit; a later run does the rest.
func (a *App) WithinBudget(name string, do jobFunc) jobFunc {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		limit := modelvoice.NewBudget(a.Config.Jobs.TokensPerRun)
		result, err := do(modelvoice.WithJob(modelvoice.WithBudget(ctx, limit), name), run, now)
		if tokens, calls := limit.Spent(); calls > 0 {
			result += fmt.Sprintf("; %s of the model, %s", english.Plural(calls, "call", "calls"), english.Plural(tokens, "token", "tokens"))
		}
		if errors.Is(err, modelvoice.ErrBudgetSpent) || errors.Is(err, budget.ErrCapReached) {
			return result + "; stopped: " + err.Error(), nil
		}
		return result, err
	}
}

// missingModel returns the missing requirement of jobs that need a model.
func (a *App) missingModel() string {
	if len(a.Config.Models(a.Card.Key).ForWork()) == 0 {
		return "a model"
	}
	return ""
}

// missingEmbedder returns the missing requirement of jobs that need an embedder.
func (a *App) missingEmbedder() string {
	if a.Config.Embedder.Provider == config.NoEmbedder {
		return "an embedder"
	}
	return ""
}

// embed computes missing vectors.
func (a *App) embed(ctx context.Context, _ int64, _ time.Time) (fmt.Stringer, error) {
	if a.EmbedWorker == nil {
		return nil, errors.New("no embedder is configured")
	}
	return a.EmbedWorker.EmbedOnce(ctx)
}

// FindTask returns the task with that name.
func (a *App) FindTask(name string) (Task, error) {
	var known []string
	for _, t := range a.Tasks(a.Engine(a.Settings())) {
		if t.Name == name {
			return t, nil
		}
		known = append(known, t.Name)
	}
	if near := spelling.Nearest(name, known); near != "" {
		return Task{}, fmt.Errorf("job %q: %w: did you mean %q?", name, memory.ErrNotFound, near)
	}
	return Task{}, fmt.Errorf("job %q: %w; `familiar job list` lists them", name, memory.ErrNotFound)
}
