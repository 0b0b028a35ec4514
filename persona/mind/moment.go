package mind

import (
	"cmp"
	"slices"

	"familiar/memory/model"
)

// Moment is what a session leaves in the persona's own story.
type Moment struct {
	Kind model.Kind
	// Significance is 0–1: the salience of the memory made of it.
	Significance float64
}

// The figures of moments are project choices.
const (
	// momentsPerSession bounds what one session leaves.
	momentsPerSession = 2
	// momentFrom is the least that is worth a place in the story.
	momentFrom = 0.4
	// definingWorth and bondWorth are what a turning point counts at least, growthWorth what an anniversary does.
	definingWorth, bondWorth, growthWorth = 0.8, 0.6, 0.5
	// failedFrom is how many questions must go unanswered, more than were answered, for a failure; failureScale how many
	// failures reach 63 % on the curve 1 − e^(−n/scale).
	failedFrom   = 2
	failureScale = 3
	// valueScale is how many standing wishes reach 63 %.
	valueScale = 1
)

// Moments are what a session leaves in the persona's story, the most significant first: none for a routine session, two
// at most. facts are what happened, s what it meant, reached the milestones it brought.
//
//	defining_moment   the first session together, becoming close, a year: 0.8 or the session's significance
//	relationship      becoming friends (0.6), or a bonding session: the relationship's part
//	correction        the first correction, or two and more: the learning's part
//	collaboration     something was achieved: the outcome's part
//	failure           hostility, or more questions left open than answered
//	value_formation   a standing wish: how somebody wants to be treated
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

// candidates returns each moment there could be, with what it counts; 0 for what did not happen.
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

// failures counts what went wrong: hostile messages, reminders of what was told, and questions left open when they are
// more than those answered.
func failures(f SessionFacts) int {
	n := f.Hostile + f.Reminded
	if f.Unanswered >= failedFrom && f.Unanswered > f.Answered {
		n += f.Unanswered
	}
	return n
}

// The salience of a session's summary: the least a summary has, and what significance adds.
const summaryFloor, summarySpan = 0.3, 0.7

// SummarySalience returns how salient the summary of a session is, 0.3–1: 0.3 + 0.7·overall.
func SummarySalience(s Significance) float64 {
	return summaryFloor + summarySpan*clamp(s.Overall, 0, 1)
}
