package scene

import (
	"cmp"
	"slices"
	"time"

	"familiar/channels/gate"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// FollowUp is a topic for a proactive message.
type FollowUp struct {
	Loop model.Loop
	// Subject identifies it in the record of greeted subjects. Reason is gate.FollowUp or gate.Encouragement.
	Subject string
	Reason  gate.Reason
}

// FollowUps returns the loops worth a proactive message now, in the person's timezone: the most recently past first,
// then the nearest ahead. It leaves out what was brought up before. All lie within FollowUpSpan.
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

// FollowUpSpan returns the period in which the time of a loop must lie to be worth a proactive message now.
func FollowUpSpan(now time.Time) (from, until time.Time) {
	return now.Add(-followUpWithin), now.Add(wishWithin)
}

// When something is brought up proactively; project choices. What is older is left to the next greeting.
const (
	// wishWithin is how long before an event the persona wishes good luck.
	wishWithin = 24 * time.Hour
	// followUpWithin is how long after an event the persona asks how it went.
	followUpWithin = 3 * 24 * time.Hour
)

// proactiveGreeting returns the greeting that brings up one subject, nil if there is nothing left to say about it.
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

// due returns the loops whose time lies at most ahead in the future or past in the past: the most recently past first,
// then the nearest ahead.
func (in GreetingInput) due(ahead, past time.Duration) []model.Loop {
	var over, coming []model.Loop
	for _, l := range in.Loops {
		if l.Own || l.Status == "closed" || l.DueFrom.IsZero() || in.isSecret(l.Audience) || in.greeted(loopSubject(l, in.Now)) {
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

// ContactState returns what the gate decides on. now is in the person's timezone.
func ContactState(st turns.ProactiveState, now time.Time) gate.ContactState {
	return gate.ContactState{
		Now: now, Channel: st.Room.Channel, LastWrote: st.Wrote, LastWroteHere: st.WroteHere, LastProactive: st.Spoke, Answered: st.Answered,
		OptedOut: !st.QuietSince.IsZero(), Blocked: !st.Person.BlockedAt.IsZero(), SentToday: st.Today, Busy: st.Waiting+st.Saying > 0,
	}
}

// Day returns the date of t in its timezone, by which daily caps count.
func Day(t time.Time) string { return t.Format(time.DateOnly) }
