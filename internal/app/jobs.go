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
	"familiar/persona"
	nightjobs "familiar/persona/jobs"
	"familiar/persona/model"
	"familiar/scheduler"
)

// work is one run of a job: what it does, and in words what it did.
type work func(ctx context.Context, run int64, now time.Time) (string, error)

// Task is one job: what it is called, when it is due and what it does.
type Task struct {
	Name string
	When config.Schedule
	Run  work
	// Needs is what it cannot do without and the configuration names none of, "" for nothing: then it is never due.
	Needs string
}

// Tasks is what happens between conversations: one line per job.
func (a *App) Tasks(e *persona.Engine) []Task {
	night := nightjobs.Night{Parts: e.Parts}
	return []Task{
		{"session-close", a.Config.Jobs.SessionClose, signedAsOf(e.Sessions().CloseIdleOnce), ""},
		{"refine", a.Config.Jobs.Refine, signedAsOf(e.Sessions().RefineOnce), a.lacksModel()},
		{"decay", a.Config.Jobs.Decay, asOf(a.Store.Decay), ""},
		{"link", a.Config.Jobs.Link, signed(a.link), ""},
		{"consolidate", a.Config.Jobs.Consolidate, signedAsOf(a.consolidate), ""},
		{"embed", a.Config.Jobs.Embed, a.embed, a.lacksEmbedder()},
		{"dream", a.Config.Jobs.Dream, signedAsOf(night.DreamOnce), ""},
		{"reflect", a.Config.Jobs.Reflect, signedAsOf(night.ReflectOnce), ""},
		{"curiosity", a.Config.Jobs.Curiosity, signedAsOf(night.CuriosityOnce), ""},
		{"goals", a.Config.Jobs.Goals, signedAsOf(night.GoalsOnce), ""},
		{"growth", a.Config.Jobs.Growth, signedAsOf(night.GrowthOnce), ""},
		{"proactive", a.Config.Jobs.Proactive, signedAsOf(a.proactive(e).ProactiveOnce), ""},
		{"vanish", a.Config.Jobs.Vanish, asOf(a.Store.Vanish), ""},
		{"prune", a.Config.Jobs.Prune, asOf(a.Store.Prune), ""},
	}
}

// proactive speaks first, to whom the gate still hears.
func (a *App) proactive(e *persona.Engine) nightjobs.Proactive {
	return nightjobs.Proactive{Night: nightjobs.Night{Parts: e.Parts}, Hears: a.Judge().Allows, Wake: e.Wake}
}

// Off says that the job is never due.
func (t Task) Off() bool { return t.Needs != "" || t.When.Off() }

// Jobs are the tasks that are ever due, for the scheduler.
func (a *App) Jobs(e *persona.Engine) (jobs []scheduler.Job, err error) {
	for _, t := range a.Tasks(e) {
		if t.Off() {
			continue
		}
		job, err := a.Job(t)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// Job is a task as the scheduler runs it, never due when it is off.
func (a *App) Job(t Task) (job scheduler.Job, err error) {
	job = scheduler.Job{Name: t.Name, Run: a.WithinBudget(t.Run)}
	if !t.Off() {
		if job.Schedule, err = scheduler.Parse(string(t.When), a.JobsZone()); err != nil {
			err = fmt.Errorf("job %s: %w", t.Name, err)
		}
	}
	return job, err
}

// Scheduler runs jobs and keeps the store's ledger.
func (a *App) Scheduler(jobs ...scheduler.Job) *scheduler.Scheduler {
	return &scheduler.Scheduler{Jobs: jobs, Ledger: ledger{a.Store, a.Card.Key}, Now: a.Now, Log: a.Log}
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
func (a *App) WithinBudget(do work) work {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		budget := model.NewBudget(a.Config.Jobs.TokensPerRun)
		result, err := do(model.WithBudget(ctx, budget), run, now)
		if tokens, calls := budget.Spent(); calls > 0 {
			result += fmt.Sprintf("; %s of the model, %s", english.Plural(calls, "call", "calls"), english.Plural(tokens, "token", "tokens"))
		}
		if errors.Is(err, model.ErrBudgetSpent) || errors.Is(err, memory.ErrCapReached) {
			return result + "; stopped: " + err.Error(), nil
		}
		return result, err
	}
}

// lacksModel is what a job lacks that only a model can do.
func (a *App) lacksModel() string {
	if a.Config.Model.Provider == config.NoModel {
		return "a model"
	}
	return ""
}

// lacksEmbedder is what a job lacks that keeps vectors.
func (a *App) lacksEmbedder() string {
	if a.Config.Embedder.Provider == config.NoEmbedder {
		return "an embedder"
	}
	return ""
}

// link joins what was written lately to what is alike.
func (a *App) link(ctx context.Context, run int64) (memory.Linked, error) {
	return a.Store.Link(ctx, a.Card.Key, run)
}

// consolidate moves memories by the rules and sums up what is alike.
func (a *App) consolidate(ctx context.Context, run int64, now time.Time) (memory.Reflection, error) {
	return a.Store.Consolidate(ctx, a.Card.Key, run, now)
}

// embed gives memories the vectors they lack.
func (a *App) embed(ctx context.Context, _ int64, _ time.Time) (string, error) {
	if a.EmbedWorker == nil {
		return "", errors.New("no embedder is asked here")
	}
	done, err := a.EmbedWorker.EmbedOnce(ctx)
	return done.String(), err
}

// asOf makes a job of work that depends on the time, and its result what the ledger keeps.
func asOf[R fmt.Stringer](once func(context.Context, time.Time) (R, error)) work {
	return func(ctx context.Context, _ int64, now time.Time) (string, error) {
		result, err := once(ctx, now)
		return result.String(), err
	}
}

// signed makes a job of work whose every trace carries its run, and its result what the ledger keeps.
func signed[R fmt.Stringer](once func(ctx context.Context, run int64) (R, error)) work {
	return func(ctx context.Context, run int64, _ time.Time) (string, error) {
		result, err := once(ctx, run)
		return result.String(), err
	}
}

// signedAsOf is signed for work that depends on the time, too.
func signedAsOf[R fmt.Stringer](once func(ctx context.Context, run int64, now time.Time) (R, error)) work {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		result, err := once(ctx, run, now)
		return result.String(), err
	}
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
