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

// GoalOf returns a goal as the rules know it.
func GoalOf(g belief.TrackedLoop) mind.Goal {
	return mind.Goal{Text: g.Text, Touched: g.Last, Mentions: g.Mentions, Steps: g.Steps}
}

// GoalToAskAfter returns the goal that is most worth asking after when nothing else is due: one that is on their mind
// and was left alone for some days. goals stand in their order.
func GoalToAskAfter(goals []belief.TrackedLoop, now time.Time) (belief.TrackedLoop, bool) {
	for _, g := range goals {
		if !GoalOf(g).Stale(now) && now.Sub(g.Last) >= restedGoal && now.Sub(g.Asked) >= restedGoal {
			return g, true
		}
	}
	return belief.TrackedLoop{}, false
}

// restedGoal is how long a goal is left alone once it was spoken of or asked after.
const restedGoal = 3 * 24 * time.Hour

// ShownLoops returns the loops shown to the voice.
func (s Scene) ShownLoops() []model.Loop {
	loops := slices.Clone(s.Loops)
	for _, g := range s.Goals {
		loops = append(loops, g.Loop)
	}
	if s.UnknownTerm != nil {
		loops = append(loops, s.UnknownTerm.Loop)
	}
	return loops
}

// Asked returns the goals, and the term it wondered about, that an answer asks about.
func (s Scene) Asked(answer string) (ids []int64) {
	for _, l := range s.ShownLoops()[len(s.Loops):] {
		about := words.Content(l.Text)
		if slices.ContainsFunc(words.Sentences(answer), func(said string) bool {
			return strings.HasSuffix(said, "?") && len(about) > 0 && 2*words.SharedWith(about, said) >= len(about)
		}) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// HasPassed reports whether the time a loop named lies behind now.
func HasPassed(l model.Loop, now time.Time) bool {
	return !l.DueFrom.IsZero() && !LoopEnd(l).After(now)
}

// LoopEnd returns when the time a loop named is over.
func LoopEnd(l model.Loop) time.Time {
	if l.DueUntil.After(l.DueFrom) {
		return l.DueUntil
	}
	return l.DueFrom
}

// The figures of a greeting are project choices: a greeting is two or three sentences.
const (
	// AheadWithin is how far ahead something may lie to be worth wishing luck for.
	AheadWithin = 7 * 24 * time.Hour
	// staleAfter is how long after its time something is still asked about.
	staleAfter = 90 * 24 * time.Hour
	// greetingLoops and greetingMemories bound what is brought up.
	greetingLoops, greetingMemories = 2, 2
	// greetingSalience is the least that is worth bringing up; greetings, thanks and questions lie below it.
	greetingSalience = 0.4
	// greetingFade is the age in days at which something is 1/e as worth bringing up as when it was new.
	greetingFade = 14
)

// Outdated reports whether a text tells a value that no longer holds.
func Outdated(beliefs []model.Belief, text string) bool {
	return slices.ContainsFunc(beliefs, func(b model.Belief) bool {
		return b.Status != model.Active && words.Holds(text, b.Value) && !Believed(beliefs, b)
	})
}

// Believed reports whether the value of b holds under an active belief of the same relation as well.
func Believed(beliefs []model.Belief, b model.Belief) bool {
	return slices.ContainsFunc(beliefs, func(other model.Belief) bool {
		return other.Status == model.Active && other.Relation == b.Relation && strings.EqualFold(other.Value, b.Value)
	})
}

// topical reports whether a reading is of something to come back to: no greeting, question, name, wish, plan (open
// loops have those), correction or hard word.
func topical(r understand.Analysis) bool {
	if r.Phatic || r.Question != nil || r.Corrects || r.Farewell || r.Warmth < 0 {
		return false
	}
	return !slices.ContainsFunc(r.Claims, func(c understand.Claim) bool {
		return c.Kind == rel.Instruction || c.Kind == rel.Plan || c.Kind == rel.Promise ||
			c.Relation == "name" || c.Relation == rel.CallMe
	})
}
