package persona

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels/gate"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/turns"
	"familiar/persona/scene"
)

// precedingMessages is how many earlier messages the persona sees before it writes proactively, and when that message
// is answered.
const precedingMessages = 3

// proactiveReplyWindow is how long a message counts as a reply to a proactive one. A project choice.
const proactiveReplyWindow = 7 * 24 * time.Hour

// Wake makes the engine check for pending messages that another process stored.
func (e *Engine) Wake(ctx context.Context) error {
	rooms, err := e.Store.Log.PendingRooms(ctx, e.Card.Key)
	if err != nil {
		return fmt.Errorf("find rooms with pending messages: %w", err)
	}
	for _, room := range rooms {
		e.wake(room)
		if e.Settings.InOrder {
			if err := e.Drain(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// proactive returns the subject of a proactive turn, "" if someone spoke or arrived.
func (t *turn) proactive() string { return t.pending[0].Message.Proactive }

// checkProactive asks the gate again before the reply is composed: the proactive turn may have been pending for hours.
func (e *Engine) checkProactive(ctx context.Context, t *turn) (gate.Reason, error) {
	day := scene.Day(t.now)
	if day != scene.Day(t.pending[0].Message.At.In(t.now.Location())) {
		return gate.Outdated, nil // it was meant for another day
	}
	st, err := e.Store.Turns.ProactiveState(ctx, e.Card.Key, t.room.ID, day)
	if err != nil {
		return "", err
	}
	st.Today-- // excluding this one
	st.Waiting--
	return e.Settings.Proactive.Judge(scene.ContactState(st, t.now)), nil
}

// recheckProactive asks the gate a last time before a proactive message is sent, which may be hours after it was
// composed. It withdraws a message that is no longer allowed and stores the reason. It ignores the time of the last
// proactive message, which is this one.
func (c *Cast) recheckProactive(ctx context.Context, row log.OutboxEntry) (held bool, err error) {
	e := c.Engine(row.Persona)
	if e == nil { // nobody who is served wanted to say it
		return true, c.store.Turns.WithholdOutbox(ctx, row.Persona, row.ID, string(gate.Outdated))
	}
	person, err := e.Store.Log.Person(ctx, row.Room.PersonID)
	if err != nil {
		return errors.Is(err, memory.ErrNotFound), err
	}
	now := e.Now().In(person.Location(e.Settings.Zone))
	st, err := e.Store.Turns.ProactiveState(ctx, e.Card.Key, row.Room.ID, scene.Day(now))
	if err != nil {
		return errors.Is(err, memory.ErrNotFound), err
	}
	st.Today-- // excluding this one
	st.Saying--
	st.Spoke = time.Time{}
	why := e.Settings.Proactive.Judge(scene.ContactState(st, now))
	if scene.Day(row.Created.In(now.Location())) != scene.Day(now) {
		why = gate.Outdated // it was meant for another day
	}
	if why == gate.Allowed {
		return false, nil
	}
	return true, e.Store.Turns.WithholdOutbox(ctx, e.Card.Key, row.ID, string(why))
}

// suppress ends a proactive turn without a message and stores the reason.
func (e *Engine) suppress(ctx context.Context, t *turn, why gate.Reason) error {
	h := t.pending[0]
	d := turns.ProactiveDecision{PersonID: t.asker.ID, Subject: h.Message.Proactive, Reason: string(why), JobRun: h.JobRun, At: t.started}
	if err := e.Store.Turns.WithholdPending(ctx, e.Card.Key, h.ID, d); err != nil {
		return fmt.Errorf("suppress a proactive message: %w", err)
	}
	return nil
}

// proactiveReason returns the reason for a proactive greeting.
func (t *turn) proactiveReason() gate.Reason {
	if g := t.scene.Greeting; g != nil && len(g.Loops) > 0 && scene.HasPassed(g.Loops[0], t.now) {
		return gate.FollowUp
	}
	return gate.Encouragement
}

// loadPreceding loads the last messages for a turn without a session: a proactive turn, or the reply to one, however
// late.
func (e *Engine) loadPreceding(ctx context.Context, t *turn) error {
	if t.proactive() == "" {
		if !t.room.Direct || t.isArrival() {
			return nil
		}
		last, err := e.Store.Turns.LastProactive(ctx, t.visibility)
		if errors.Is(err, memory.ErrNotFound) || err == nil && t.started.Sub(last.At) > proactiveReplyWindow {
			return nil
		}
		if err != nil {
			return err
		}
		t.answersProactive = true
	}
	var err error
	t.recent, err = e.Store.Recall.Recent(ctx, t.visibility, precedingMessages)
	return err
}
