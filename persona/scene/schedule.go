package scene

import (
	"slices"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/words"
)

// Dated is something expected: an open loop or a plan among the beliefs.
type Dated struct {
	Text string
	// Subject is whose plan it is, "" for the person's own.
	Subject string
	// From and Until are zero if no time is known.
	From, Until time.Time
	// Belief is the plan's, zero for a loop.
	Belief model.Belief
}

func (d Dated) content() words.Set { return words.Content(d.Subject + " " + d.Text) }

// Within reports whether its time overlaps another.
func (d Dated) Within(from, until time.Time) bool {
	return !d.From.IsZero() && d.From.Before(until) && (d.Until.After(from) || !d.From.Before(from))
}

// Schedule returns everything the person expects: open loops, then believed plans without a loop, their own and those
// of others, the nearest first and those without a time last.
func (s *Scene) Schedule() (all []Dated) {
	for _, l := range s.Loops {
		if l.Kind != "question" && !l.Own && l.Status != "closed" {
			all = append(all, Dated{Text: l.Text, From: l.DueFrom, Until: LoopEnd(l)})
		}
	}
	for _, b := range s.Beliefs {
		if b.Relation != rel.Planned || b.Status != model.Active || !s.Owns(b) && b.AuthorID != s.Person.ID {
			continue
		}
		d := Dated{Text: b.Value, Subject: s.SubjectOf(b), From: b.ValidFrom, Until: b.ValidTo, Belief: b}
		if !slices.ContainsFunc(all, func(o Dated) bool { return words.Shared(o.content(), d.content()) == len(d.content()) }) {
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b Dated) int {
		if a.From.IsZero() != b.From.IsZero() {
			return b.From.Compare(a.From)
		}
		return a.From.Compare(b.From)
	})
	return all
}

// Scheduled returns the scheduled item that shares most with what is asked for. They must share most of their words, or all
// that are asked for.
func (s *Scene) Scheduled(asked words.Set, all bool) (found Dated, ok bool) {
	const mostly = 0.6
	best := 0
	for _, d := range s.Schedule() {
		shared := words.Shared(asked, d.content())
		if shared > best && float64(shared) >= mostly*float64(min(len(asked), len(d.content()))) && 2*shared >= len(asked) && (!all || shared == len(asked)) {
			found, ok, best = d, true, shared
		}
	}
	return found, ok
}

// CalledOff returns the plan that is asked for if it was called off.
func (s *Scene) CalledOff(asked words.Set) (plan string, ok bool) {
	for _, b := range s.Beliefs {
		off := b.Relation == rel.Planned && b.Status != model.Active && s.Owns(b) && b.ValidTo.After(s.Now)
		if off && len(asked) > 0 && words.SharedWith(asked, b.Value) == len(asked) {
			return b.Value, true
		}
	}
	return "", false
}
