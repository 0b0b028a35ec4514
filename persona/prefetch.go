package persona

import (
	"context"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona/card"
)

// prefetchRoom prefetches what a turn asks as soon as it knows the room.
func (e *Engine) prefetchRoom(ctx context.Context, t *turn) error {
	reads := []func(context.Context) error{
		func(ctx context.Context) error { return failed(e.Store.Log.VisibilityIn(ctx, e.Card.Key, t.room)) },
		func(ctx context.Context) error {
			return failed(e.Store.Turns.LatestSession(ctx, e.Card.Key, t.room.ID))
		},
	}
	if t.expectsReply() {
		reads = append(reads,
			func(ctx context.Context) error {
				return failed(e.Store.Turns.Relationship(ctx, e.Card.Key, t.asker.ID))
			},
			func(ctx context.Context) error { return failed(card.Grown(ctx, e.Store, e.Card.Key)) },
			func(ctx context.Context) error { return failed(e.Store.Turns.MoodAt(ctx, e.Card.Key, t.now)) })
	}
	return e.Store.Prefetch(ctx, reads...)
}

// prefetchScene prefetches what a turn asks as soon as it knows the audience.
func (e *Engine) prefetchScene(ctx context.Context, t *turn) error {
	reads := []func(context.Context) error{
		func(ctx context.Context) error {
			return failed(e.Store.Recall.Recent(ctx, t.visibility, e.Settings.RecentMessages))
		},
		func(ctx context.Context) error { return failed(e.Store.Beliefs.Loops(ctx, t.visibility, t.asker.ID)) },
	}
	if t.expectsReply() {
		reads = append(reads,
			func(ctx context.Context) error { return failed(e.Store.Log.Undelivered(ctx, t.visibility)) },
			func(ctx context.Context) error {
				return failed(e.Store.Turns.Milestones(ctx, t.visibility, t.asker.ID))
			},
			func(ctx context.Context) error {
				return failed(e.Store.Beliefs.TrackedLoops(ctx, t.visibility, t.asker.ID, belief.LoopGoal))
			},
			func(ctx context.Context) error { return e.prefetchInferences(ctx, t, model.Lesson) })
		if t.room.Direct {
			reads = append(reads, func(ctx context.Context) error { return e.prefetchInferences(ctx, t, model.Observation) })
		}
	}
	return e.Store.Prefetch(ctx, reads...)
}

func (e *Engine) prefetchInferences(ctx context.Context, t *turn, kind model.Kind) error {
	return failed(e.Store.Lifecycle.InferencesAbout(ctx, t.visibility, t.asker.ID, kind, reflectedCandidates))
}

// prefetchSession prefetches what a turn asks as soon as it knows the session.
func (e *Engine) prefetchSession(ctx context.Context, t *turn) error {
	if !t.expectsReply() {
		return nil
	}
	return e.Store.Prefetch(ctx, func(ctx context.Context) error {
		return failed(e.Store.Turns.LastDanger(ctx, t.visibility, t.asker.ID, t.sessionID))
	})
}

// failed is the error of a read whose result is not wanted yet.
func failed[T any](_ T, err error) error { return err }
