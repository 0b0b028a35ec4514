package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/config"
	"familiar/memory/budget"
	"familiar/memory/lifecycle"
	"familiar/persona"
	nightjobs "familiar/persona/jobs"
	"familiar/scheduler"
)

// work is one run of a job: what it does, and in words what it did.
type work func(ctx context.Context, run int64, now time.Time) (string, error)

// task is one job: what it is called, when it is due and what it does.
type task struct {
	name string
	when config.Schedule
	run  work
	// needs is what it cannot do without and the configuration names none of, "" for nothing: then it is never due.
	needs string
}

// tasks is what happens between conversations: one line per job.
func (h *house) tasks(e *persona.Engine) []task {
	night := nightjobs.Night{Parts: e.Parts}
	return []task{
		{"session-close", h.cfg.Jobs.SessionClose, signedAsOf(e.Sessions().CloseIdleOnce), ""},
		{"refine", h.cfg.Jobs.Refine, signedAsOf(e.Sessions().RefineOnce), h.lacksModel()},
		{"decay", h.cfg.Jobs.Decay, asOf(h.store.Lifecycle.Decay), ""},
		{"link", h.cfg.Jobs.Link, signed(h.link), ""},
		{"consolidate", h.cfg.Jobs.Consolidate, signedAsOf(h.consolidate), ""},
		{"embed", h.cfg.Jobs.Embed, h.embed, h.lacksEmbedder()},
		{"dream", h.cfg.Jobs.Dream, signedAsOf(night.DreamOnce), ""},
		{"reflect", h.cfg.Jobs.Reflect, signedAsOf(night.ReflectOnce), ""},
		{"curiosity", h.cfg.Jobs.Curiosity, signedAsOf(night.CuriosityOnce), ""},
		{"goals", h.cfg.Jobs.Goals, signedAsOf(night.GoalsOnce), ""},
		{"growth", h.cfg.Jobs.Growth, signedAsOf(night.GrowthOnce), ""},
		{"proactive", h.cfg.Jobs.Proactive, signedAsOf(h.proactive(e).ProactiveOnce), ""},
		{"vanish", h.cfg.Jobs.Vanish, asOf(h.store.Eraser.Expire), ""},
		{"prune", h.cfg.Jobs.Prune, asOf(h.store.Eraser.Prune), ""},
	}
}

// proactive speaks first, to whom the gate still hears.
func (h *house) proactive(e *persona.Engine) nightjobs.Proactive {
	return nightjobs.Proactive{Night: nightjobs.Night{Parts: e.Parts}, Hears: h.judge().Allows, Wake: e.Wake}
}

// off says that the job is never due.
func (t task) off() bool { return t.needs != "" || t.when.Off() }

// jobs are the tasks that are ever due, for the scheduler.
func (h *house) jobs(e *persona.Engine) (jobs []scheduler.Job, err error) {
	for _, t := range h.tasks(e) {
		if t.off() {
			continue
		}
		job, err := h.job(t)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// job is a task as the scheduler runs it, never due when it is off.
func (h *house) job(t task) (job scheduler.Job, err error) {
	job = scheduler.Job{Name: t.name, Run: h.withinBudget(t.run)}
	if !t.off() {
		if job.Schedule, err = scheduler.Parse(string(t.when), h.jobsZone()); err != nil {
			err = fmt.Errorf("job %s: %w", t.name, err)
		}
	}
	return job, err
}

// scheduler runs jobs and keeps the store's ledger.
func (h *house) scheduler(jobs ...scheduler.Job) *scheduler.Scheduler {
	return &scheduler.Scheduler{Jobs: jobs, Ledger: ledger{h.store, h.card.Key}, Now: h.now, Log: h.log}
}

// jobsZone is the zone the schedules are read in.
func (h *house) jobsZone() *time.Location {
	if zone := h.cfg.Jobs.Timezone.Location; zone != nil {
		return zone
	}
	return h.zone()
}

// withinBudget gives each run tokens of its own. What it used of the model stands in its result, and that it stopped for
// want of more: what is left, a later run does.
func (h *house) withinBudget(do work) work {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		limit := persona.NewBudget(h.cfg.Jobs.TokensPerRun)
		result, err := do(persona.WithBudget(ctx, limit), run, now)
		if tokens, calls := limit.Spent(); calls > 0 {
			result += fmt.Sprintf("; %s of the model, %s", counted(calls, "call", "calls"), counted(tokens, "token", "tokens"))
		}
		if errors.Is(err, persona.ErrBudgetSpent) || errors.Is(err, budget.ErrCapReached) {
			return result + "; stopped: " + err.Error(), nil
		}
		return result, err
	}
}

// lacksModel is what a job lacks that only a model can do.
func (h *house) lacksModel() string {
	if h.cfg.Model.Provider == config.NoModel {
		return "a model"
	}
	return ""
}

// lacksEmbedder is what a job lacks that keeps vectors.
func (h *house) lacksEmbedder() string {
	if h.cfg.Embedder.Provider == config.NoEmbedder {
		return "an embedder"
	}
	return ""
}

// link joins what was written lately to what is alike.
func (h *house) link(ctx context.Context, run int64) (lifecycle.LinkResult, error) {
	return h.store.Lifecycle.Link(ctx, h.card.Key, run)
}

// consolidate moves memories by the rules and sums up what is alike.
func (h *house) consolidate(ctx context.Context, run int64, now time.Time) (lifecycle.Reflection, error) {
	return h.store.Lifecycle.Consolidate(ctx, h.card.Key, run, now)
}

// embed gives memories the vectors they lack.
func (h *house) embed(ctx context.Context, _ int64, _ time.Time) (string, error) {
	if h.drain == nil {
		return "", errors.New("no embedder is asked here")
	}
	done, err := h.drain.EmbedOnce(ctx)
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
