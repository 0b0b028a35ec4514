package scene

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// GoalOf converts a tracked loop to a goal of package mind.
func GoalOf(g belief.TrackedLoop) mind.Goal {
	return mind.Goal{Text: g.Text, Touched: g.Last, Mentions: g.Mentions, Steps: g.Steps}
}

// GoalToAskAfter returns the goal most worth asking about if nothing else is due: one of high priority that was not
// mentioned for some days. goals are in order of priority.
func GoalToAskAfter(goals []belief.TrackedLoop, now time.Time) (belief.TrackedLoop, bool) {
	for _, g := range goals {
		if !GoalOf(g).Stale(now) && now.Sub(g.Last) >= restedGoal && now.Sub(g.Asked) >= restedGoal {
			return g, true
		}
	}
	return belief.TrackedLoop{}, false
}

// restedGoal is how long the persona leaves a goal alone after it was mentioned or asked about.
const restedGoal = 3 * 24 * time.Hour

// ShownLoops returns the loops that the voice sees.
func (s Scene) ShownLoops() []model.Loop {
	loops := append(make([]model.Loop, 0, len(s.Loops)+len(s.Goals)+1), s.Loops...)
	for _, g := range s.Goals {
		loops = append(loops, g.Loop)
	}
	if s.UnknownTerm != nil {
		loops = append(loops, s.UnknownTerm.Loop)
	}
	return loops
}

// Asked returns the IDs of the goals and the unknown term that a reply asks about.
func (s Scene) Asked(answer string) (ids []int64) {
	for _, l := range s.ShownLoops()[len(s.Loops):] {
		if asksAbout(answer, l.Text) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// AskedToConfirm returns the ID of the belief that a reply asks about, if it is the one to confirm.
func (s Scene) AskedToConfirm(answer string) []int64 {
	if s.ToConfirm == nil {
		return nil
	}
	b := s.ToConfirm.Belief
	if asksAbout(answer, b.Sentence) || asksAbout(answer, b.Value) {
		return []int64{b.ID}
	}
	return nil
}

// asksAbout reports whether a sentence of a text is a question with half of the content words of another.
func asksAbout(text, about string) bool {
	of := words.Content(about)
	return len(of) > 0 && slices.ContainsFunc(words.Sentences(text), func(said string) bool {
		return (strings.HasSuffix(said, "?") || strings.HasSuffix(said, "？")) && 2*words.SharedWith(of, said) >= len(of)
	})
}

// HasPassed reports whether the time of a loop lies before now.
func HasPassed(l model.Loop, now time.Time) bool {
	return !l.DueFrom.IsZero() && !LoopEnd(l).After(now)
}

// LoopEnd returns the end of a loop's time.
func LoopEnd(l model.Loop) time.Time {
	if l.DueUntil.After(l.DueFrom) {
		return l.DueUntil
	}
	return l.DueFrom
}

// Project choices: a greeting is two or three sentences.
const (
	// AheadWithin is how far ahead an event may lie to be worth wishing luck for.
	AheadWithin = 7 * 24 * time.Hour
	// staleAfter is how long after an event the persona still asks about it.
	staleAfter = 90 * 24 * time.Hour
	// greetingLoops and greetingMemories bound what a greeting brings up.
	greetingLoops, greetingMemories = 2, 2
	// greetingSalience is the minimum salience to bring up. Greetings, thanks and questions lie below it.
	greetingSalience = 0.4
	// greetingFade is the age in days at which a memory's score has fallen to 1/e.
	greetingFade = 14
)

// Outdated reports whether a text states a value that no longer holds.
func Outdated(beliefs []model.Belief, text string) bool {
	return slices.ContainsFunc(beliefs, func(b model.Belief) bool {
		return b.Status != model.Active && words.Holds(text, b.Value) && !Believed(beliefs, b)
	})
}

// OutdatedValues returns the values whose statement makes a text Outdated, each once.
func OutdatedValues(beliefs []model.Belief) (values []string) {
	for _, b := range beliefs {
		if b.Status != model.Active && !slices.Contains(values, b.Value) && !Believed(beliefs, b) {
			values = append(values, b.Value)
		}
	}
	return values
}

// Believed reports whether another active belief of the same relation has the value of b.
func Believed(beliefs []model.Belief, b model.Belief) bool {
	return slices.ContainsFunc(beliefs, func(other model.Belief) bool {
		return other.Status == model.Active && other.Relation == b.Relation && strings.EqualFold(other.Value, b.Value)
	})
}

// topical reports whether a statement makes a topic to come back to. Greetings, questions, names, wishes, corrections
// and hard words do not; plans are left to open loops.
func topical(r understand.Analysis) bool {
	if r.Phatic || r.Question != nil || r.Corrects || r.Farewell || r.Warmth < 0 {
		return false
	}
	return !slices.ContainsFunc(r.Claims, func(c understand.Claim) bool {
		return c.Kind == rel.Instruction || c.Kind == rel.Plan || c.Kind == rel.Promise ||
			c.Relation == "name" || c.Relation == rel.CallMe
	})
}
