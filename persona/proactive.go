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

// precedingMessages is how much of what was said last the persona looks at before it speaks proactively, and when that
// is answered.
const precedingMessages = 3

// proactiveReplyWindow is how long what was said proactively is taken to be what an answer is about, a project choice.
const proactiveReplyWindow = 7 * 24 * time.Hour

// Wake has the engine look at what waits in rooms, for what another process left there.
func (e *Engine) Wake(ctx context.Context) error {
	rooms, err := e.Store.Log.PendingRooms(ctx, e.Card.Key)
	if err != nil {
		return fmt.Errorf("look for what waits: %w", err)
	}
	for _, room := range rooms {
		e.wake(room)
	}
	return nil
}

// proactive returns what the persona brings up unprompted, "" where someone spoke or arrived.
func (t *turn) proactive() string { return t.pending[0].Message.Proactive }

// checkProactive looks at the gate once more, now that the words are looked for: what was handed over may have waited for hours.
func (e *Engine) checkProactive(ctx context.Context, t *turn) (gate.Reason, error) {
	day := scene.Day(t.now)
	if day != scene.Day(t.pending[0].Message.At.In(t.now.Location())) {
		return gate.Outdated, nil // it was another day's
	}
	st, err := e.Store.Turns.UnaskedStanding(ctx, e.Card.Key, t.room.ID, day)
	if err != nil {
		return "", err
	}
	st.Today-- // its own
	st.Waiting--
	return e.Settings.Proactive.Judge(scene.ContactState(st, t.now)), nil
}

// recheckProactive looks at the gate a last time, when something proactively is about to be sent: that may be hours
// after the words were found. It withdraws what may not be said any more, and keeps why. How long the persona has been
// silent is not asked again: it is this that it has spoken.
func (e *Engine) recheckProactive(ctx context.Context, row log.OutboxEntry) (held bool, err error) {
	person, err := e.Store.Log.Person(ctx, row.Room.PersonID)
	if err != nil {
		return errors.Is(err, memory.ErrNotFound), err
	}
	now := e.Now().In(person.Location(e.Settings.Zone))
	st, err := e.Store.Turns.UnaskedStanding(ctx, e.Card.Key, row.Room.ID, scene.Day(now))
	if err != nil {
		return errors.Is(err, memory.ErrNotFound), err
	}
	st.Today-- // its own
	st.Saying--
	st.Spoke = time.Time{}
	why := e.Settings.Proactive.Judge(scene.ContactState(st, now))
	if scene.Day(row.Created.In(now.Location())) != scene.Day(now) {
		why = gate.Outdated // it was another day's
	}
	if why == gate.Allowed {
		return false, nil
	}
	return true, e.Store.Turns.WithholdOut(ctx, e.Card.Key, row.ID, string(why))
}

// suppress says nothing after all, and keeps why.
func (e *Engine) suppress(ctx context.Context, t *turn, why gate.Reason) error {
	h := t.pending[0]
	d := turns.UnaskedDecision{PersonID: t.asker.ID, Subject: h.Message.Proactive, Reason: string(why), JobRun: h.JobRun, At: t.started}
	if err := e.Store.Turns.WithholdUnasked(ctx, e.Card.Key, h.ID, d); err != nil {
		return fmt.Errorf("say nothing unasked: %w", err)
	}
	return nil
}

// proactiveReason returns why the greeting of the turn speaks up.
func (t *turn) proactiveReason() gate.Reason {
	if g := t.scene.Greeting; g != nil && len(g.Loops) > 0 && scene.HasPassed(g.Loops[0], t.now) {
		return gate.FollowUp
	}
	return gate.Encouragement
}

// loadPreceding is the talk of a turn that has none of its own: what was said last, where the persona speaks
// proactively and where that is answered, however much later.
func (e *Engine) loadPreceding(ctx context.Context, t *turn) error {
	if t.proactive() == "" {
		if !t.room.Direct || t.isArrival() {
			return nil
		}
		last, err := e.Store.Turns.SpokenUp(ctx, t.visibility)
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
