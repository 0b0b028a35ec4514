package persona

import (
	"context"
	"errors"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory/model"
)

// QueueCheck is how soon a running engine notices what another process queued: a dead letter that the operator sends again,
// or a message to be answered after all.
const QueueCheck = 15 * time.Second

// watchQueues takes up what another process queued, until ctx ends.
func (e *Engine) watchQueues(ctx context.Context) {
	for sleep.For(ctx, QueueCheck) {
		if err := errors.Join(e.sender.wakeAll(ctx), e.wakePending(ctx)); err != nil && ctx.Err() == nil {
			e.Log.Warn("look for what another process queued", "error", err, "retry_in", QueueCheck)
		}
	}
}

// wakePending wakes the rooms with unanswered messages in which no lane is at work.
func (e *Engine) wakePending(ctx context.Context) error {
	rooms, err := e.Store.Log.PendingRooms(ctx, e.Card.Key)
	for _, room := range rooms {
		if !e.atWork(room) {
			e.wake(room)
		}
	}
	return err
}

// atWork reports whether a lane works on room.
func (e *Engine) atWork(room channels.Room) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.lanes[room]
	return ok
}

// WakeSender tells the engine that a message was queued for room outside a turn.
func (e *Engine) WakeSender(room model.Room) { e.sender.wake(room) }
