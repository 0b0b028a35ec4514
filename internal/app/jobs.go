package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/spelling"
	"familiar/memory"
	"familiar/memory/budget"
	"familiar/persona"
	"familiar/persona/jobs"
	"familiar/persona/modelvoice"
	"familiar/scheduler"
)

// jobFunc is one run of a job: what it does, and in words what it did.
type jobFunc func(ctx context.Context, run int64, now time.Time) (string, error)

// Task is one job: what it is called, when it is due and what it does.
type Task struct {
	Name     string
	Schedule config.Schedule
	Run      jobFunc
	// Needs is what it cannot do without and the configuration names none of, "" for nothing: then it is never due.
	Needs string
}

// Tasks are the jobs with their schedules and what this configuration lacks for them.
func (a *App) Tasks(e *persona.Engine) (tasks []Task) {
	lacks := map[jobs.Need]string{jobs.Model: a.missingModel(), jobs.Embedder: a.missingEmbedder()}
	for _, j := range jobs.List(a.jobDeps(e)) {
		tasks = append(tasks, Task{j.Name, a.Config.Jobs.Of(j.Name), textResult(j), lacks[j.Needs]})
	}
	return tasks
}

// jobDeps is what the jobs work with. The persona writes first only to people whom the gate still lets through.
func (a *App) jobDeps(e *persona.Engine) jobs.Work {
	night := jobs.Deps{Parts: e.Parts}
	return jobs.Work{
		Proactive: jobs.Proactive{Deps: night, Hears: a.PolicyGate().Allows, Wake: e.Wake}, Sessions: e.Sessions(), Embed: a.embed,
	}
}

// textResult is the work of a job with its result as the ledger keeps it.
func textResult(j jobs.Job) jobFunc {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		result, err := j.Run(ctx, run, now)
		if result == nil {
			return "", err
		}
		return result.String(), err
	}
}

// Off says that the job is never due.
func (t Task) Off() bool { return t.Needs != "" || t.Schedule.Off() }

// Jobs are the tasks that are ever due, for the scheduler.
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

// Job is a task as the scheduler runs it, never due when it is off.
func (a *App) Job(t Task) (job scheduler.Job, err error) {
	job = scheduler.Job{Name: t.Name, Run: a.WithinBudget(t.Run)}
	if !t.Off() {
		if job.Schedule, err = scheduler.Parse(string(t.Schedule), a.JobsZone()); err != nil {
			err = fmt.Errorf("job %s: %w", t.Name, err)
		}
	}
	return job, err
}

// Scheduler runs jobs and keeps the store's ledger.
func (a *App) Scheduler(due ...scheduler.Job) *scheduler.Scheduler {
	return &scheduler.Scheduler{Jobs: due, Ledger: ledger{a.Store, a.Card.Key}, Now: a.Now, Log: a.Log}
}

// JobsZone is the zone the schedules are read in.
func (a *App) JobsZone() *time.Location {
	if zone := a.Config.Jobs.Timezone.Location; zone != nil {
		return zone
	}
	return a.zone()
}

// WithinBudget gives each run tokens of its own. What it used of the model stands in its result, and that it stopped for
// want of more: what is left, a later run does.
func (a *App) WithinBudget(do jobFunc) jobFunc {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		limit := modelvoice.NewBudget(a.Config.Jobs.TokensPerRun)
		result, err := do(modelvoice.WithBudget(ctx, limit), run, now)
		if tokens, calls := limit.Spent(); calls > 0 {
			result += fmt.Sprintf("; %s of the model, %s", english.Plural(calls, "call", "calls"), english.Plural(tokens, "token", "tokens"))
		}
		if errors.Is(err, modelvoice.ErrBudgetSpent) || errors.Is(err, budget.ErrCapReached) {
			return result + "; stopped: " + err.Error(), nil
		}
		return result, err
	}
}

// missingModel is what a job lacks that only a model can do.
func (a *App) missingModel() string {
	if a.Config.Model.Provider == config.NoModel {
		return "a model"
	}
	return ""
}

// missingEmbedder is what a job lacks that keeps vectors.
func (a *App) missingEmbedder() string {
	if a.Config.Embedder.Provider == config.NoEmbedder {
		return "an embedder"
	}
	return ""
}

// embed gives memories the vectors they lack.
func (a *App) embed(ctx context.Context, _ int64, _ time.Time) (fmt.Stringer, error) {
	if a.EmbedWorker == nil {
		return nil, errors.New("no embedder is asked here")
	}
	return a.EmbedWorker.EmbedOnce(ctx)
}

// FindTask finds a task by its name.
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
	return Task{}, fmt.Errorf("job %q: %w; `familiar job list` shows what there is", name, memory.ErrNotFound)
}
