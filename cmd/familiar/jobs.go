package main

import (
	"context"
	"fmt"
	"time"

	"familiar/config"
	"familiar/memory"
	"familiar/persona"
	nightjobs "familiar/persona/jobs"
	"familiar/scheduler"
)

// jobs is what happens between conversations: one line per job.
func (h *house) jobs(e *persona.Engine) (jobs []scheduler.Job, err error) {
	night := nightjobs.Night{Parts: e.Parts}
	for _, j := range []struct {
		name string
		when config.Schedule
		run  func(ctx context.Context, run int64, now time.Time) (string, error)
	}{
		{"session-close", h.cfg.Jobs.SessionClose, asOf(e.CloseIdleOnce)},
		{"refine", h.refining(), signed(e.RefineOnce)},
		{"decay", h.cfg.Jobs.Decay, asOf(h.store.Decay)},
		{"link", h.cfg.Jobs.Link, signed(h.link)},
		{"consolidate", h.cfg.Jobs.Consolidate, h.consolidate},
		{"embed", h.embedding(), func(ctx context.Context, _ int64, _ time.Time) (string, error) {
			done, err := h.drain.EmbedOnce(ctx)
			return done.String(), err
		}},
		{"dream", h.cfg.Jobs.Dream, nightly(night.DreamOnce)},
		{"reflect", h.cfg.Jobs.Reflect, nightly(night.ReflectOnce)},
		{"proactive", h.cfg.Jobs.Proactive, nightly(h.proactive(e).ProactiveOnce)},
		{"vanish", h.cfg.Jobs.Vanish, asOf(h.store.Vanish)},
		{"prune", h.cfg.Jobs.Prune, asOf(h.store.Prune)},
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

// proactive speaks first, to whom the gate still hears.
func (h *house) proactive(e *persona.Engine) nightjobs.Proactive {
	return nightjobs.Proactive{Night: nightjobs.Night{Parts: e.Parts}, Hears: h.judge().Hears, Wake: e.Wake}
}

// refining is when sessions are read a second time: without a model, never.
func (h *house) refining() config.Schedule {
	if h.model == nil {
		return config.Never
	}
	return h.cfg.Jobs.Refine
}

// link joins what was written lately to what is alike.
func (h *house) link(ctx context.Context, run int64) (memory.Linked, error) {
	return h.store.Link(ctx, h.card.Key, run)
}

// consolidate moves memories by the rules and sums up what is alike.
func (h *house) consolidate(ctx context.Context, run int64, now time.Time) (string, error) {
	result, err := h.store.Consolidate(ctx, h.card.Key, run, now)
	return result.String(), err
}

// embedding is when memories get the vectors they lack: without an embedder, never.
func (h *house) embedding() config.Schedule {
	if h.drain == nil {
		return config.Never
	}
	return h.cfg.Jobs.Embed
}

// asOf makes a job of work that depends on the time, and its result what the ledger keeps.
func asOf[R fmt.Stringer](once func(context.Context, time.Time) (R, error)) func(context.Context, int64, time.Time) (string, error) {
	return func(ctx context.Context, _ int64, now time.Time) (string, error) {
		result, err := once(ctx, now)
		return result.String(), err
	}
}

// signed makes a job of work whose every trace carries its run, and its result what the ledger keeps.
func signed[R fmt.Stringer](once func(ctx context.Context, run int64) (R, error)) func(context.Context, int64, time.Time) (string, error) {
	return func(ctx context.Context, run int64, _ time.Time) (string, error) {
		result, err := once(ctx, run)
		return result.String(), err
	}
}

// nightly makes a job of work that depends on the time and whose every trace carries its run.
func nightly[R fmt.Stringer](once func(context.Context, int64, time.Time) (R, error)) func(context.Context, int64, time.Time) (string, error) {
	return func(ctx context.Context, run int64, now time.Time) (string, error) {
		result, err := once(ctx, run, now)
		return result.String(), err
	}
}
