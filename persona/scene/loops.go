package scene

import (
	"slices"
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/words"
)

// Words that tell how something went. The tables are English; another language adds its own.
var (
	// outcomeAfter follow the event ("the interview went …"), outcomeBefore precede it ("I passed the exam"). The
	// weak tables apply only once the event's time has come, because "was" also occurs in "was moved".
	outcomeAfter      = words.Of("went happened turned finished done over cancelled canceled off postponed fell")
	weakOutcomeAfter  = words.Of("was were got wasn't weren't didn't")
	outcomeBefore     = words.Of("passed failed aced nailed bombed survived finished attended missed skipped cancelled canceled postponed sent")
	weakOutcomeBefore = words.Of("had did made from after loved enjoyed hated")
	// calledOff say that the event will not happen, whatever its date.
	calledOff = words.Of("cancelled canceled postponed off fell")
	// clauseStarts begin another part of the sentence. Outcome words before them belong to something else: "I finished
	// the slides for the interview".
	clauseStarts = words.Of("for to before about until")
	// verdicts judge something just asked about: "great", "could have been worse".
	verdicts = words.Of("good great well fine ok okay alright amazing awesome awful terrible bad badly fantastic lovely brilliant " +
		"wonderful disaster tough hard boring fun nice perfect perfectly horrible rough worse better best worst smoothly " +
		"excellent disappointing mixed so-so meh loved enjoyed hated relieved")
	// ahead say that the event is still to come. They close nothing.
	ahead = words.Of("yet hope hoping hopefully wish if will gonna until unless fingers")
)

// The greatest distances, in words, between an outcome and its event.
const (
	outcomeAfterReach  = 3
	outcomeBeforeReach = 4
)

// AnsweredLoops returns the IDs of the open loops that a message answers, in the order of loops. A message answers a
// loop if it tells how the event went or that it was called off ("the interview went great", "my exam got cancelled").
// It also does if it answers the persona's question about it without naming it ("it went well"); before holds what the
// persona said recently. It answers an open question if it tells what was asked. Questions, hopes and renewed plans
// close nothing.
func AnsweredLoops(loops []model.Loop, said Line, before string) []int64 {
	if len(loops) == 0 || said.Parsed.Question != nil {
		return nil
	}
	heard := words.Tokens(said.Text)
	if len(heard) == 0 || slices.ContainsFunc(heard, ahead.Has) {
		return nil
	}
	asked := askedAfter(loops, before)
	if asked == 0 && dropsIt.MatchString(words.PlainApostrophe(words.Head(said.Text))) {
		asked = spokenOf(loops, before)
	}
	told := slices.ContainsFunc(heard, tellsOutcomes)
	var closed []int64
	for _, l := range loops {
		if l.Status == "closed" || replans(said.Parsed, l) {
			continue
		}
		if l.Kind == belief.LoopQuestion {
			if answersQuestion(said, l) {
				closed = append(closed, l.ID)
			}
			continue
		}
		come := l.DueFrom.IsZero() || !l.DueFrom.After(said.At)
		if told && tellsOutcome(heard, words.Content(l.Text), come) || callsOff(said.Parsed, l) || l.ID == asked && answersShortly(said.Text, heard, come) {
			closed = append(closed, l.ID)
		}
	}
	return closed
}

// answeredFrom is the share of a question's content that a statement must name to answer it.
const answeredFrom = 0.6

// answersQuestion reports whether a message answers a question that was left open: it makes a claim and names most of
// what was asked about.
func answersQuestion(said Line, l model.Loop) bool {
	if len(said.Parsed.Claims) == 0 {
		return false
	}
	asked := words.Content(l.Text)
	named := words.SharedWith(asked, said.Text)
	return named > 0 && float64(named) >= answeredFrom*float64(len(asked))
}

// AskedLately returns what the persona said in the last few lines, because people may greet back before they answer a
// question.
func AskedLately(recent []Line) string {
	const lines = 4
	var said []string
	for _, l := range recent[max(0, len(recent)-lines):] {
		if l.Self {
			said = append(said, words.Head(l.Text))
		}
	}
	return strings.Join(said, "\n")
}

// replans reports whether the message itself plans the event of the loop.
func replans(r understand.Analysis, l model.Loop) bool {
	for _, c := range r.Claims {
		if (c.Kind == rel.Plan || c.Kind == rel.Promise) && !c.Negates && words.SharedWith(words.Content(c.Value), l.Text) > 0 {
			return true
		}
	}
	return false
}

// NamePlans replaces the pronoun in claims that move or call off a plan with the words of that plan: the one that
// lines, oldest first, mentioned last, or the only one. Without such a plan the claims are dropped.
func NamePlans(claims []understand.Claim, loops []model.Loop, lines []Line) []understand.Claim {
	named := claims[:0:0]
	for _, c := range claims {
		if c.Kind == rel.Plan && c.Changed && c.Subject == "" {
			if c.Value == "" {
				c.Value = lastPlan(loops, lines)
			}
			if c = belief.AlignWithPlan(loops, c); c.Value == "" {
				continue
			}
		}
		named = append(named, c)
	}
	return named
}

// lastPlan returns the open plan that lines mentioned last, or the only one, or "" if it is ambiguous.
func lastPlan(loops []model.Loop, lines []Line) string {
	plans := slices.DeleteFunc(slices.Clone(loops), func(l model.Loop) bool { return l.Kind != "plan" || l.Status == "closed" })
	for _, line := range slices.Backward(lines) {
		id := spokenOf(plans, words.Head(line.Text))
		if i := slices.IndexFunc(plans, func(l model.Loop) bool { return id != 0 && l.ID == id }); i >= 0 {
			return plans[i].Text
		}
	}
	if len(plans) == 1 {
		return plans[0].Text
	}
	return ""
}

// CalledOff reports whether the message says that the event of a loop will not happen.
func CalledOff(said Line, l model.Loop) bool {
	return callsOff(said.Parsed, l) || dropsIt.MatchString(words.PlainApostrophe(words.Head(said.Text)))
}

// callsOff reports whether the message cancels the plan of the loop.
func callsOff(r understand.Analysis, l model.Loop) bool {
	return slices.ContainsFunc(r.Claims, func(c understand.Claim) bool {
		return c.Kind == rel.Plan && c.Negates && belief.MatchLoop([]model.Loop{l}, c).ID != 0
	})
}

// dropsIt matches a cancellation of what was just mentioned, without naming it: "it's cancelled", "I'm not going any
// more".
var dropsIt = lazyregexp.New(`(?i)\b(?:(?:it|that|this)(?:'s| is| was| got| has)(?: just| now| been| all)* (?:cancelled|canceled|called off|off)` +
	`|(?:it|that) fell through|(?:it|that)(?:'s| is) (?:not|no longer) (?:happening|going to happen)|(?:it|that) isn't happening` +
	`|(?:cancelled|canceled|cancel|called|dropped|scrapped) (?:it|that)\b|(?:'m|'re| am| are) not (?:going|doing (?:it|that)|coming)(?: there)? (?:any ?more|after all|now)` +
	`|(?:'m|'re| am| are) no longer going|not to go(?: any ?more| after all)?|(?:won't|will not) (?:go|be going)(?: any ?more| after all)?)\s*(?:[.,;!]|$)`)

// spokenOf returns the loop that the persona mentioned last in before, 0 if none or if several fit equally. Open
// questions do not count.
func spokenOf(loops []model.Loop, before string) int64 {
	for _, sentence := range slices.Backward(words.Sentences(before)) {
		about, best, most := words.Content(sentence), int64(0), 0
		for _, l := range loops {
			switch n := words.SharedWith(about, l.Text); {
			case l.Kind == belief.LoopQuestion:
			case n > most:
				best, most = l.ID, n
			case n == most && n > 0:
				best = 0
			}
		}
		if most > 0 {
			return best
		}
	}
	return 0
}

// askedAfter returns the loop that the last question about any loop in before asks about, 0 if there is none. The
// sentence ahead of the question may name the event: "You'd planned to see Ann. How was it?" Open questions do not
// count.
func askedAfter(loops []model.Loop, before string) int64 {
	if !strings.Contains(before, "?") {
		return 0
	}
	said := words.Sentences(before)
	for i, question := range slices.Backward(said) {
		if !strings.HasSuffix(question, "?") {
			continue
		}
		about := words.Content(strings.Join(said[max(0, i-1):i+1], " "))
		for _, l := range loops {
			if l.Kind != belief.LoopQuestion && words.SharedWith(about, l.Text) > 0 {
				return l.ID
			}
		}
	}
	return 0
}

// daysOwn have events without owning them: "today's interview".
var daysOwn = words.Of("today yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday week weekend month morning evening night it that what")

// ofAnother reports whether a word makes what follows it someone else's: "my mother's surgery" is not the surgery on
// one's own knee.
func ofAnother(before string, thing words.Set) bool {
	owner, ok := strings.CutSuffix(before, "'s")
	return ok && !thing.Has(words.Stem(owner)) && !daysOwn.Has(owner)
}

// tellsOutcomes reports whether a word can tell an outcome. Without one no event is told of.
func tellsOutcomes(w string) bool {
	return outcomeAfter.Has(w) || weakOutcomeAfter.Has(w) || outcomeBefore.Has(w) || weakOutcomeBefore.Has(w)
}

// tellsOutcome reports whether an outcome word is close to one of the event's words. come reports that the event's time
// has come.
func tellsOutcome(heard []string, thing words.Set, come bool) bool {
	for i, w := range heard {
		if !thing.Has(words.Stem(w)) || i > 0 && ofAnother(heard[i-1], thing) {
			continue
		}
		for _, after := range heard[i+1 : min(i+1+outcomeAfterReach, len(heard))] {
			if outcomeAfter.Has(after) || come && weakOutcomeAfter.Has(after) {
				return true
			}
		}
		for _, earlier := range slices.Backward(heard[max(0, i-outcomeBeforeReach):i]) {
			if clauseStarts.Has(earlier) {
				break
			}
			if outcomeBefore.Has(earlier) || come && weakOutcomeBefore.Has(earlier) {
				return true
			}
		}
	}
	return false
}

// answersShortly reports whether a message tells how the event just asked about went.
func answersShortly(text string, heard []string, come bool) bool {
	if dropsIt.MatchString(words.PlainApostrophe(words.Head(text))) {
		return true
	}
	if !come {
		return slices.ContainsFunc(heard, calledOff.Has)
	}
	return slices.ContainsFunc(heard, func(w string) bool {
		return verdicts.Has(w) || outcomeAfter.Has(w) || outcomeBefore.Has(w) || w == "didn't"
	})
}
