package jobs

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/erase"
	"familiar/memory/lifecycle"
	"familiar/persona/session"
)

// Job is one thing that is done between conversations. Its schedule stands in the configuration under its name, and each
// run has the token budget of the configuration.
type Job struct {
	Name  string
	Needs Need
	// Run does the work of one run of the ledger, as of now. Its result says in words what it did.
	Run func(ctx context.Context, run int64, now time.Time) (fmt.Stringer, error)
}

// Need is what a job cannot do without: where it is not configured, the job is never due.
type Need string

// What jobs need.
const (
	Nothing  Need = ""
	Model    Need = "a model"
	Embedder Need = "an embedder"
)

// Work is what all jobs work with.
type Work struct {
	Proactive
	Sessions *session.Manager
	// Embed gives memories the vectors they lack.
	Embed func(ctx context.Context, run int64, now time.Time) (fmt.Stringer, error)
}

// List returns every job, in the order in which they are shown.
func List(w Work) []Job {
	return []Job{
		{"session-close", Nothing, once(w.Sessions.CloseIdleOnce)},
		{"refine", Model, once(w.Sessions.RefineOnce)},
		{"decay", Nothing, once(w.DecayOnce)},
		{"link", Nothing, once(w.LinkOnce)},
		{"consolidate", Nothing, once(w.ConsolidateOnce)},
		{"embed", Embedder, w.Embed},
		{"dream", Nothing, once(w.DreamOnce)},
		{"reflect", Nothing, once(w.ReflectOnce)},
		{"curiosity", Nothing, once(w.CuriosityOnce)},
		{"goals", Nothing, once(w.GoalsOnce)},
		{"growth", Nothing, once(w.GrowthOnce)},
		{"proactive", Nothing, once(w.ProactiveOnce)},
		{"vanish", Nothing, once(w.VanishOnce)},
		{"reread", Nothing, once(w.RereadOnce)},
		{"prune", Nothing, once(w.PruneOnce)},
	}
}

// once returns a job's function with its result as words.
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
