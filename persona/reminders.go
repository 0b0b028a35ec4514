package persona

import (
	"context"
	"fmt"
	"time"

	"familiar/persona/command"
)

const (
	// leastWait is how long the watch rests at least.
	leastWait = 250 * time.Millisecond
)

// watchReminders says each reminder at its time, until ctx ends. What fell due while nothing ran is said once, late.
func (c *Cast) watchReminders(ctx context.Context) {
	for ctx.Err() == nil {
		wait := QueueCheck // another process may have added one, and clocks are set
		for _, e := range c.Engines() {
			next, err := e.SayReminders(ctx)
			if err != nil && ctx.Err() == nil {
				e.Log.Warn("say what somebody asked to be reminded of", "error", err, "retry_in", QueueCheck)
			}
			if !next.IsZero() {
				wait = min(wait, max(leastWait, next.Sub(e.Now())))
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-c.reminded:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// noteReminder makes the watch look again: a reminder was added.
func (c *Cast) noteReminder() {
	select {
	case c.reminded <- struct{}{}:
	default:
	}
}

// SayReminders queues the due reminders of the rooms that this process serves, as Run does by itself. It returns when the
// next is due, zero if none is.
func (e *Engine) SayReminders(ctx context.Context) (next time.Time, err error) {
	now := e.Now()
	due, next, err := e.Store.Reminders.Due(ctx, e.Card.Key, now, e.answers)
	if err != nil {
		return next, err
	}
	for _, r := range due {
		person, err := e.Store.Log.Person(ctx, r.Person)
		if err != nil {
			return next, fmt.Errorf("find whom reminder %d is for: %w", r.ID, err)
		}
		if err := e.Store.Reminders.Say(ctx, r, command.Reminded(r, person.Language, now.In(person.Location(e.Settings.Zone)))); err != nil {
			return next, err
		}
		e.sender.wake(r.Room)
	}
	return next, nil
}
