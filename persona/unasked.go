package persona

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels/gate"
	"familiar/memory"
)

// When something is brought up unasked; choices of this project. Asked later than that, it is old news: the next greeting
// has it.
const (
	// wishedWithin is how long before its time somebody is wished well.
	wishedWithin = 24 * time.Hour
	// followedWithin is how long after its time somebody is asked how it went.
	followedWithin = 3 * 24 * time.Hour
)

// saidBefore is how much of what was said last the persona looks at before it speaks unasked, and when that is answered.
const saidBefore = 3

// answeredWithin is how long what was said unasked is taken to be what an answer is about, a choice of this project.
const answeredWithin = 7 * 24 * time.Hour

// FollowUp is something a person may be spoken to about unasked.
type FollowUp struct {
	Loop memory.Loop
	// Subject names it in the record of what was greeted about; Reason is gate.FollowUp or gate.GoodWishes.
	Subject string
	Reason  gate.Reason
}

// FollowUps are what of loops is worth speaking up about now, in the person's zone: the latest past first, then the nearest
// ahead; nothing of what was brought up before. All of them lie within FollowUpSpan.
func FollowUps(loops []memory.Loop, broughtUp map[string]time.Time, now time.Time) (all []FollowUp) {
	in := GreetingInput{Now: now, Direct: true, Loops: loops, Greeted: broughtUp}
	for _, l := range in.due(wishedWithin, followedWithin) {
		f := FollowUp{l, loopSubject(l, now), gate.Encouragement}
		if hasPassed(l, now) {
			f.Reason = gate.FollowUp
		}
		all = append(all, f)
	}
	return all
}

// FollowUpSpan is from when to when the time of something may lie that is worth speaking up about now.
func FollowUpSpan(now time.Time) (from, until time.Time) {
	return now.Add(-followedWithin), now.Add(wishedWithin)
}

// Standing is what the gate decides on, now in the person's zone.
func Standing(st memory.UnaskedStanding, now time.Time) gate.ContactState {
	return gate.ContactState{
		Now: now, Channel: st.Room.Channel, LastWrote: st.Wrote, LastWroteHere: st.WroteHere, LastProactive: st.Spoke, Answered: st.Answered,
		OptedOut: !st.QuietSince.IsZero(), Blocked: !st.Person.Unwelcome.IsZero(), SentToday: st.Today, Busy: st.Waiting+st.Saying > 0,
	}
}

// Day is the day of t in its own zone, as caps are counted by.
func Day(t time.Time) string { return t.Format(time.DateOnly) }

// Wake has the engine look at what waits in rooms, for what another process left there.
func (e *Engine) Wake(ctx context.Context) error {
	rooms, err := e.Store.PendingRooms(ctx, e.Card.Key)
	if err != nil {
		return fmt.Errorf("look for what waits: %w", err)
	}
	for _, room := range rooms {
		e.wake(room)
	}
	return nil
}

// unasked is what the persona brings up of its own accord, "" where somebody spoke or arrived.
func (t *turn) unasked() string { return t.pending[0].Message.Proactive }

// stillMay looks at the gate once more, now that the words are looked for: what was handed over may have waited for hours.
func (e *Engine) stillMay(ctx context.Context, t *turn) (gate.Reason, error) {
	day := Day(t.now)
	if day != Day(t.pending[0].Message.At.In(t.now.Location())) {
		return gate.Outdated, nil // it was another day's
	}
	st, err := e.Store.UnaskedStanding(ctx, e.Card.Key, t.room.ID, day)
	if err != nil {
		return "", err
	}
	st.Today-- // its own
	st.Waiting--
	return e.Settings.Unasked.Judge(Standing(st, t.now)), nil
}

// holdBack looks at the gate a last time, when something unasked is about to be sent: that may be hours after the words
// were found. It withdraws what may not be said any more, and keeps why. How long the persona has been silent is not asked
// again: it is this that it has spoken.
func (e *Engine) holdBack(ctx context.Context, row memory.Out) (held bool, err error) {
	person, err := e.Store.Person(ctx, row.Room.PersonID)
	if err != nil {
		return errors.Is(err, memory.ErrNotFound), err
	}
	now := e.Now().In(person.Zone(e.Settings.Zone))
	st, err := e.Store.UnaskedStanding(ctx, e.Card.Key, row.Room.ID, Day(now))
	if err != nil {
		return errors.Is(err, memory.ErrNotFound), err
	}
	st.Today-- // its own
	st.Saying--
	st.Spoke = time.Time{}
	why := e.Settings.Unasked.Judge(Standing(st, now))
	if Day(row.Created.In(now.Location())) != Day(now) {
		why = gate.Outdated // it was another day's
	}
	if why == gate.Allowed {
		return false, nil
	}
	return true, e.Store.WithholdOut(ctx, e.Card.Key, row.ID, string(why))
}

// withhold says nothing after all, and keeps why.
func (e *Engine) withhold(ctx context.Context, t *turn, why gate.Reason) error {
	h := t.pending[0]
	d := memory.UnaskedDecision{PersonID: t.asker.ID, Subject: h.Message.Proactive, Reason: string(why), JobRun: h.JobRun, At: t.started}
	if err := e.Store.WithholdUnasked(ctx, e.Card.Key, h.ID, d); err != nil {
		return fmt.Errorf("say nothing unasked: %w", err)
	}
	return nil
}

// unaskedReason is why the greeting of the turn speaks up.
func (t *turn) unaskedReason() gate.Reason {
	if g := t.scene.Greeting; g != nil && len(g.Loops) > 0 && hasPassed(g.Loops[0], t.now) {
		return gate.FollowUp
	}
	return gate.Encouragement
}

// broughtUp is the talk of a turn that has none of its own: what was said last, where the persona speaks unasked and where
// that is answered, however much later.
func (e *Engine) broughtUp(ctx context.Context, t *turn) error {
	if t.unasked() == "" {
		if !t.room.Direct || t.arrival() {
			return nil
		}
		last, err := e.Store.SpokenUp(ctx, t.hearing)
		if errors.Is(err, memory.ErrNotFound) || err == nil && t.started.Sub(last.At) > answeredWithin {
			return nil
		}
		if err != nil {
			return err
		}
		t.answersUnasked = true
	}
	var err error
	t.recent, err = e.Store.Recent(ctx, t.hearing, saidBefore)
	return err
}

// speakUp is the greeting with which the persona brings up one thing of its own accord; nil when there is nothing left to
// say about it.
func (in GreetingInput) speakUp() *Greeting {
	due := in.due(wishedWithin, followedWithin)
	i := slices.IndexFunc(due, func(l memory.Loop) bool { return loopSubject(l, in.Now) == in.Unasked })
	if i < 0 {
		return nil
	}
	return &Greeting{
		Unasked: true, Since: in.Now.Sub(in.Relationship.LastSeen), Loops: due[i : i+1], Subjects: []string{in.Unasked},
		Instructions: in.greetingWishes(),
	}
}

// due are the loops whose time lies within ahead of now or within past behind it: the latest past first, then the nearest
// ahead.
func (in GreetingInput) due(ahead, past time.Duration) []memory.Loop {
	var over, coming []memory.Loop
	for _, l := range in.Loops {
		if l.Status == "closed" || l.DueFrom.IsZero() || in.secret(l.Audience) || in.greeted(loopSubject(l, in.Now)) {
			continue
		}
		switch {
		case hasPassed(l, in.Now):
			if in.Now.Sub(loopEnd(l)) <= past {
				over = append(over, l)
			}
		case l.DueFrom.Sub(in.Now) <= ahead:
			coming = append(coming, l)
		}
	}
	slices.SortStableFunc(over, func(a, b memory.Loop) int {
		return cmp.Or(loopEnd(b).Compare(loopEnd(a)), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(coming, func(a, b memory.Loop) int {
		return cmp.Or(a.DueFrom.Compare(b.DueFrom), cmp.Compare(a.ID, b.ID))
	})
	return append(over, coming...)
}
