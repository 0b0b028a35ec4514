package persona

import (
	"context"

	"familiar/memory/belief"
	"familiar/persona/card"
	"familiar/persona/scene"
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
			func(ctx context.Context) error { return failed(e.lessons(ctx, t)) })
	}
	return e.Store.Prefetch(ctx, reads...)
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

// prefetchObservations prefetches what a turn asks as soon as it knows the relationship.
func (e *Engine) prefetchObservations(ctx context.Context, t *turn, s *scene.Scene) error {
	if !mayShowObservations(s) {
		return nil
	}
	return e.Store.Prefetch(ctx, func(ctx context.Context) error { return failed(e.observations(ctx, t)) })
}

// failed is the error of a read whose result is not wanted yet.
func failed[T any](_ T, err error) error { return err }
