package scene

import (
	"cmp"
	"slices"
	"time"

	"familiar/channels/gate"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// FollowUp is something a person may be spoken to about proactively.
type FollowUp struct {
	Loop model.Loop
	// Subject names it in the record of what was greeted about; Reason is gate.FollowUp or gate.Encouragement.
	Subject string
	Reason  gate.Reason
}

// FollowUps returns what of loops is worth speaking up about now, in the person's zone: the latest past first, then the
// nearest ahead; nothing of what was brought up before. All of them lie within FollowUpSpan.
func FollowUps(loops []model.Loop, broughtUp map[string]time.Time, now time.Time) (all []FollowUp) {
	in := GreetingInput{Now: now, Direct: true, Loops: loops, Greeted: broughtUp}
	for _, l := range in.due(wishWithin, followUpWithin) {
		f := FollowUp{l, loopSubject(l, now), gate.Encouragement}
		if HasPassed(l, now) {
			f.Reason = gate.FollowUp
		}
		all = append(all, f)
	}
	return all
}

// FollowUpSpan returns from when to when the time of something may lie that is worth speaking up about now.
func FollowUpSpan(now time.Time) (from, until time.Time) {
	return now.Add(-followUpWithin), now.Add(wishWithin)
}

// When something is brought up proactively; project choices. Asked later than that, it is old news: the next greeting
// has it.
const (
	// wishWithin is how long before its time someone is wished well.
	wishWithin = 24 * time.Hour
	// followUpWithin is how long after its time someone is asked how it went.
	followUpWithin = 3 * 24 * time.Hour
)

// proactiveGreeting returns the greeting with which the persona brings up one thing unprompted; nil when there is
// nothing left to say about it.
func (in GreetingInput) proactiveGreeting() *Greeting {
	due := in.due(wishWithin, followUpWithin)
	i := slices.IndexFunc(due, func(l model.Loop) bool { return loopSubject(l, in.Now) == in.Proactive })
	if i < 0 {
		return nil
	}
	return &Greeting{
		Proactive: true, Since: in.Now.Sub(in.Relationship.LastSeen), Loops: due[i : i+1], Subjects: []string{in.Proactive},
		Instructions: in.greetingWishes(),
	}
}

// due returns the loops whose time lies within ahead of now or within past behind it: the latest past first, then the
// nearest ahead.
func (in GreetingInput) due(ahead, past time.Duration) []model.Loop {
	var over, coming []model.Loop
	for _, l := range in.Loops {
		if l.Status == "closed" || l.DueFrom.IsZero() || in.isSecret(l.Audience) || in.greeted(loopSubject(l, in.Now)) {
			continue
		}
		switch {
		case HasPassed(l, in.Now):
			if in.Now.Sub(LoopEnd(l)) <= past {
				over = append(over, l)
			}
		case l.DueFrom.Sub(in.Now) <= ahead:
			coming = append(coming, l)
		}
	}
	slices.SortStableFunc(over, func(a, b model.Loop) int {
		return cmp.Or(LoopEnd(b).Compare(LoopEnd(a)), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(coming, func(a, b model.Loop) int {
		return cmp.Or(a.DueFrom.Compare(b.DueFrom), cmp.Compare(a.ID, b.ID))
	})
	return append(over, coming...)
}

// ContactState returns what the gate decides on, now in the person's zone.
func ContactState(st turns.ProactiveState, now time.Time) gate.ContactState {
	return gate.ContactState{
		Now: now, Channel: st.Room.Channel, LastWrote: st.Wrote, LastWroteHere: st.WroteHere, LastProactive: st.Spoke, Answered: st.Answered,
		OptedOut: !st.QuietSince.IsZero(), Blocked: !st.Person.BlockedAt.IsZero(), SentToday: st.Today, Busy: st.Waiting+st.Saying > 0,
	}
}

// Day returns the day of t in its own zone, as caps are counted by.
func Day(t time.Time) string { return t.Format(time.DateOnly) }
