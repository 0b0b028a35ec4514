package persona

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory/model"
)

// QueueCheck is how soon a running engine notices what another process queued: a dead letter that the operator sends again,
// or a message to be answered after all.
const QueueCheck = 15 * time.Second

// watchQueues takes up what another process queued, until ctx ends.
func (c *Cast) watchQueues(ctx context.Context) {
	every := QueueCheck
	if c.fleet != nil {
		every = fleetCheck
	}
	for sleep.For(ctx, every) {
		if err := errors.Join(c.sender.wakeAll(ctx), c.wakePending(ctx)); err != nil && ctx.Err() == nil {
			c.log.Warn("look for what another process queued", "error", err, "retry_in", every)
		}
	}
}

// wakePending wakes the rooms with unanswered messages in which no lane is at work. Messages for a persona that this process
// does not serve stay in the inbox; the operator is told once.
func (c *Cast) wakePending(ctx context.Context) error {
	rooms, err := c.store.Log.PendingOfAll(ctx)
	if err != nil {
		return fmt.Errorf("find rooms with unanswered messages: %w", err)
	}
	kept := map[string]int{}
	for _, r := range rooms {
		e := c.Engine(r.Persona)
		switch {
		case e == nil:
			kept[r.Persona] += r.Messages
		case !e.atWork(r.Room):
			e.wake(r.Room)
		}
	}
	for persona, n := range kept {
		if c.tellOnce(persona) {
			c.log.Warn("messages wait for a persona that is not served; `familiar doctor` says what to do", "persona", persona, "messages", n)
		}
	}
	return nil
}

// tellOnce reports whether the operator was not told of a persona's messages yet.
func (c *Cast) tellOnce(persona string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told[persona] {
		return false
	}
	c.told[persona] = true
	return true
}

// atWork reports whether a lane works on room.
func (e *Engine) atWork(room channels.Room) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.lanes[laneKey{e.Card.Key, room}]
	return ok
}

// WakeSender tells the cast that a message was queued for room outside a turn.
func (c *Cast) WakeSender(room model.Room) { c.sender.wake(room) }
