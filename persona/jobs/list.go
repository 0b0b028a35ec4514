package jobs

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/erase"
	"familiar/memory/lifecycle"
	"familiar/persona/session"
)

// Job is one kind of background work. Its schedule and the token budget of a run are in the configuration, under its
// name.
type Job struct {
	Name  string
	Needs Need
	// Shared reports that a run does the work for all personas of the store.
	Shared bool
	// Run does the work of one run of the ledger, as of now. Its result describes what it did.
	Run func(ctx context.Context, run int64, now time.Time) (fmt.Stringer, error)
}

// Need is a requirement of a job. Without it the job never runs.
type Need string

// The requirements of jobs.
const (
	Nothing  Need = ""
	Model    Need = "a model"
	Embedder Need = "an embedder"
)

// Work holds what the jobs work with.
type Work struct {
	Proactive
	Sessions *session.Manager
	// Learning says what LearnOnce may look up.
	Learning Learning
	// Embed creates missing vectors of memories.
	Embed func(ctx context.Context, run int64, now time.Time) (fmt.Stringer, error)
}

// List returns every job, in display order.
func List(w Work) []Job {
	return []Job{
		{"session-close", Nothing, false, once(w.Sessions.CloseIdleOnce)},
		{"refine", Model, false, once(w.Sessions.RefineOnce)},
		{"decay", Nothing, true, once(w.DecayOnce)},
		{"link", Nothing, false, once(w.LinkOnce)},
		{"consolidate", Nothing, false, once(w.ConsolidateOnce)},
		{"embed", Embedder, true, w.Embed},
		{"dream", Nothing, false, once(w.DreamOnce)},
		{"reflect", Nothing, false, once(w.ReflectOnce)},
		{"curiosity", Nothing, false, once(w.CuriosityOnce)},
		{"portrait", Model, false, once(w.PortraitOnce)},
		{"learn", Nothing, false, once(w.LearnOnce)},
		{"goals", Nothing, false, once(w.GoalsOnce)},
		{"growth", Nothing, false, once(w.GrowthOnce)},
		{"proactive", Nothing, false, once(w.ProactiveOnce)},
		{"vanish", Nothing, true, once(w.VanishOnce)},
		{"reread", Nothing, false, once(w.RereadOnce)},
		{"prune", Nothing, true, once(w.PruneOnce)},
	}
}

// once adapts a job's function to Job.Run.
func once[R fmt.Stringer](do func(context.Context, int64, time.Time) (R, error)) func(context.Context, int64, time.Time) (fmt.Stringer, error) {
	return func(ctx context.Context, run int64, now time.Time) (fmt.Stringer, error) { return do(ctx, run, now) }
}

// DecayOnce lets memories fade and archives those that have faded.
func (n Deps) DecayOnce(ctx context.Context, _ int64, now time.Time) (lifecycle.DecayResult, error) {
	return n.Store.Lifecycle.Decay(ctx, now)
}

// LinkOnce links new memories to similar ones.
func (n Deps) LinkOnce(ctx context.Context, run int64, _ time.Time) (lifecycle.LinkResult, error) {
	return n.Store.Lifecycle.Link(ctx, n.Card.Key, run)
}

// ConsolidateOnce moves memories between tiers by rules and summarizes similar ones.
func (n Deps) ConsolidateOnce(ctx context.Context, run int64, now time.Time) (lifecycle.Consolidation, error) {
	return n.Store.Lifecycle.Consolidate(ctx, n.Card.Key, run, now)
}

// VanishOnce expires messages of rooms with disappearing messages.
func (n Deps) VanishOnce(ctx context.Context, _ int64, now time.Time) (erase.ExpireResult, error) {
	return n.Store.Eraser.Expire(ctx, now)
}

// PruneOnce drops old runs of jobs and old delivery keys.
func (n Deps) PruneOnce(ctx context.Context, _ int64, now time.Time) (erase.PruneResult, error) {
	return n.Store.Eraser.Prune(ctx, now)
}
