package mind

import (
	"cmp"
	"slices"

	"familiar/memory/model"
)

// Moment is what a session adds to the persona's story.
type Moment struct {
	Kind model.Kind
	// Significance is 0–1. It becomes the salience of the memory.
	Significance float64
}

// The numbers of moments are project choices.
const (
	// momentsPerSession bounds the moments of one session.
	momentsPerSession = 2
	// momentFrom is the minimum significance of a moment.
	momentFrom = 0.4
	// definingWorth and bondWorth are the minimum significance of a turning point, growthWorth that of an anniversary.
	definingWorth, bondWorth, growthWorth = 0.8, 0.6, 0.5
	// failedFrom is how many questions must stay unanswered, and more than were answered, for a failure. failureScale
	// is how many failures reach 63 % on the curve 1 − e^(−n/scale).
	failedFrom   = 2
	failureScale = 3
	// valueScale is how many standing wishes reach 63 %.
	valueScale = 1
)

// Moments returns what a session adds to the persona's story, the most significant first: nothing for a routine session,
// at most two moments otherwise. facts are the session's counts, s is its significance and reached its milestones.
//
//	defining_moment   the first session together, becoming close, a year: 0.8 or the session's significance
//	relationship      becoming friends (0.6), or a bonding session: the part of the relationship
//	correction        the first correction, or two and more: the part of learning
//	collaboration     something was achieved: the part of the outcome
//	failure           hostility, or more questions left open than answered
//	value_formation   a standing wish: how someone wants to be treated
//	insight           much that is new was learned: the mean of learning and novelty
//	growth            any other milestone: 0.5
func Moments(facts SessionFacts, s Significance, reached []Milestone) []Moment {
	if s.Class == Routine {
		return nil
	}
	found := slices.DeleteFunc(candidates(facts, s, reached), func(m Moment) bool { return m.Significance < momentFrom })
	slices.SortStableFunc(found, func(a, b Moment) int { return cmp.Compare(b.Significance, a.Significance) })
	return found[:min(len(found), momentsPerSession)]
}

// candidates returns every possible moment with its significance, 0 for what did not happen.
func candidates(f SessionFacts, s Significance, reached []Milestone) []Moment {
	has := func(ms ...Milestone) bool {
		return slices.ContainsFunc(ms, func(m Milestone) bool { return slices.Contains(reached, m) })
	}
	when := func(happened bool, worth float64) float64 {
		if happened {
			return clamp(worth, 0, 1)
		}
		return 0
	}
	return []Moment{
		{model.DefiningMoment, when(has(Met, BecameClose, OneYear), max(definingWorth, s.Overall))},
		{model.BondMoment, max(when(has(BecameFriend), bondWorth), when(s.Class == Bonding, s.Relationship))},
		{model.CorrectionMoment, when(has(FirstCorrection) || f.Corrections > 1, s.Learning)},
		{model.CollaborationMoment, when(f.Achieved > 0, s.Outcome)},
		{model.FailureMoment, saturate(failures(f), failureScale)},
		{model.ValueMoment, saturate(f.Wishes, valueScale)},
		{model.InsightMoment, when(s.Learning > partAbove && s.Novelty > partAbove, (s.Learning+s.Novelty)/2)},
		{model.GrowthMoment, when(has(TenthSession, HundredthSession, HundredthMessage, ThousandthMessage, OneMonth, HalfAYear), growthWorth)},
	}
}

// failures counts hostile messages, reminders of what was told before, and unanswered questions if they outnumber the
// answered ones.
func failures(f SessionFacts) int {
	n := f.Hostile + f.Reminded
	if f.Unanswered >= failedFrom && f.Unanswered > f.Answered {
		n += f.Unanswered
	}
	return n
}

// summaryFloor is the minimum salience of a session's summary. Significance adds the rest.
const summaryFloor, summarySpan = 0.3, 0.7

// SummarySalience returns the salience of a session's summary, 0.3–1: 0.3 + 0.7·overall.
func SummarySalience(s Significance) float64 {
	return summaryFloor + summarySpan*clamp(s.Overall, 0, 1)
}
