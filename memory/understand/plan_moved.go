package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// Changes of plans before their day: they are moved or cancelled.

// moved matches "the interview was moved to" with the new time removed. The time may have been removed with its
// preposition.
var moved = english.CompileAll(slices.Concat([]string{
	"the|my|our? {event} is|was|got|has|have|'s? been? moved|rescheduled|postponed|shifted|pushed|changed|delayed|bumped|switched back|forward|up? from? to|until|till|for|by? $",
	"the|my|our? {event} is|was|got|has|have|'s? been? brought|put forward|back|off|up from? to|until|till|for|by? $",
	"the|my|our? {event} is|'s now on|at|for|in? $", "the|my|our? {event} is|'s on|at? now|instead $", "the|my|our? {event} will be on|at? instead|now $",
	"the|my|our? {event} will not be until|till? $",
}, movedBy("i|we|they|he|she"), movedBy("I"), movedBy("the|my|our {noun}"))...)

// movedBy returns the patterns for "they moved the interview to" with the given subject.
func movedBy(who string) []string {
	who += " have|has|had|need|will? to? just? "
	return []string{
		who + "moved|move|rescheduled|reschedule|postponed|postpone|shifted|shift|pushed|push|changed|change|delayed|delay|switched|rebooked back|forward? the|my|our? {event} back|forward? from? to|until|till|for|by? $",
		who + "brought|bring|put forward|back|off the|my|our? {event} from? to|until|till|for|by? $",
		who + "brought|bring|put the|my|our? {event} forward|back|off from? to|until|till|for|by? $",
	}
}

// itIs moves a plan when it contradicts what was said: "no, it's on Thursday".
var itIs = english.Compile("{event} is|'s on|at|in? actually? $")

// contradicting are the openings of a contradiction.
var contradicting = english.CompileAll("turns out that?", "scratch|forget that")

// notThen matches "my interview isn't on Wednesday" with the time removed. The right time follows, or came before, as
// in "my interview is on Thursday, not Wednesday".
var notThen = english.Compile("the|my|our? {event} is|'s on|at|in? not on|at|in? $")

// towards holds the words before a new time.
var towards = english.Set("to until till til for by")

// movedPlan reads that a plan has another day, which may not be named. The day is in the future, whatever the tense
// of the verb. Anything can be moved ("the sofa was moved"): without a day it must be a word for an event, with a day
// it may be anything.
func (r *reading) movedPlan(c, bare english.Clause) bool {
	m, i, contradicts := r.findMoved(c, bare)
	if i < 0 {
		return false
	}
	event := trimmedEvent(bare, m)
	it, isEvent := english.SpokenOf[english.Normalize(event)], holdsEvent(event)
	span := r.movedTo(c)
	switch {
	case noEvents[event] || event == "" || !it && !namesPlan(bare, i, event):
		return false
	case span == nil && !isEvent && !it, span != nil && !isEvent && !contradicts && !r.directed(bare, span):
		return false
	case it && r.sameAsBefore(span):
		return true
	case it:
		event, r.moving = r.moving, ""
	}
	r.add(c, Claim{Kind: rel.Plan, Relation: "plan", Value: event, Many: true, Changed: true, Span: r.aheadOf(span)}, 0, len(c.Words))
	return true
}

// findMoved returns where the clause tells what was moved, at its start or after a comma, -1 when nothing was. bare
// is the clause without its times. contradicts reports that the clause only contradicts what was said.
func (r *reading) findMoved(c, bare english.Clause) (m english.Match, i int, contradicts bool) {
	start := english.SkipLeads(bare, 0)
	contradicts = r.moving != "" || r.cue
	for start+1 < len(bare.Words) && noLeads[bare.Low(start)] {
		start, contradicts = start+1, true
	}
	if m, ok := contradicting.Find(bare, start); ok {
		start, contradicts = m.End, true
	}
	for i := start; i < len(bare.Words); i++ {
		if i > start && !bare.Words[i].Comma {
			continue
		}
		m, ok := moved.Find(bare, i)
		if !ok && contradicts {
			m, ok = itIs.Find(bare, i)
		}
		if ok {
			return m, i, contradicts
		}
	}
	m, ok := notThen.Find(bare, start)
	span := r.spanIn(c, nil)
	switch {
	case !ok || span == nil:
	case c.Before(span.Start) != "not":
		return m, start, true
	default:
		r.moving = trimmedEvent(bare, m)
	}
	return english.Match{}, -1, false
}

// movedTo returns the time that something is moved to, which follows the one it is moved from, nil when none is
// named.
func (r *reading) movedTo(c english.Clause) *when.Span {
	to := r.spanIn(c, func(s when.Span) bool {
		first, _, _ := strings.Cut(english.Normalize(s.Text), " ")
		return towards[first] || towards[c.Before(s.Start)]
	})
	if to != nil {
		return to
	}
	return r.spanIn(c, nil)
}

// sameAsBefore gives the plan that the utterance has just moved or made the time named now: "the meeting has been
// rescheduled, it's now on Friday".
func (r *reading) sameAsBefore(span *when.Span) bool {
	n := len(r.out.Claims)
	if n == 0 || span == nil {
		return false
	}
	last := &r.out.Claims[n-1]
	if last.Kind != rel.Plan || last.Negates || last.Changed && last.Span != nil {
		return false
	}
	to := *r.aheadOf(span)
	if to.Clock && last.Span != nil {
		to = to.On(last.Span.From)
	}
	last.Span = &to
	return true
}

// rightsDay corrects the day of a plan: "no wait, Thursday", "it's Thursday, not Wednesday".
func (r *reading) rightsDay(c english.Clause) bool {
	span := r.spanIn(c, nil)
	if span == nil || mentionsMonth(c) {
		return false
	}
	if relation, _ := r.corrected(""); relation != "" && relation != "plan" {
		return false
	}
	if !r.sameAsBefore(span) {
		r.add(c, Claim{Kind: rel.Plan, Relation: "plan", Many: true, Changed: true, Span: r.aheadOf(span)}, 0, len(c.Words))
	}
	return true
}

// mentionsMonth reports whether a calendar date is named, which may also be a birthday.
func mentionsMonth(c english.Clause) bool {
	return slices.ContainsFunc(c.Words, func(w english.Word) bool { return english.Months[w.Low] })
}

// trimmedEvent returns the plan of a match without words that belong to its verb.
func trimmedEvent(c english.Clause, m english.Match) string {
	from, to := m.From, m.To
	for to > from && (c.Low(to-1) == "'s" || c.Low(to-1) == "just" || towards[c.Low(to-1)]) {
		to--
	}
	return strings.TrimSpace(c.Joined(from, to))
}

// namesPlan reports whether the words from i name a plan: an event, or something that the clause refers to.
func namesPlan(c english.Clause, i int, event string) bool {
	return holdsEvent(event) || mentions(c, i, "the") || mentions(c, i, "my") || mentions(c, i, "our")
}

func holdsEvent(phrase string) bool {
	return slices.ContainsFunc(strings.Fields(english.Normalize(phrase)), english.IsEvent)
}

// directed reports whether the time is the new time of a plan and not the time when it was moved.
func (r *reading) directed(bare english.Clause, span *when.Span) bool {
	last := bare.Low(len(bare.Words) - 1)
	first, _, _ := strings.Cut(english.Normalize(span.Text), " ")
	return towards[last] || towards[first] || last == "now" || last == "instead" || last == "not" || mentions(bare, 0, "now")
}

// aheadOf returns the span a week later when it has just passed: something moved "to Friday" was moved to the coming
// Friday.
func (r *reading) aheadOf(span *when.Span) *when.Span {
	if span == nil {
		return nil
	}
	ahead := *span
	if week := 7; !ahead.Clock && !ahead.Until.After(r.u.At) && ahead.Until.AddDate(0, 0, week).After(r.u.At) {
		ahead.From, ahead.Until, ahead.Past = ahead.From.AddDate(0, 0, week), ahead.Until.AddDate(0, 0, week), false
	}
	return &ahead
}

// calledOff matches "the interview is cancelled".
var calledOff = english.CompileAll("the|my|our? {event} is|was|got|has|have|'s? been? cancelled|canceled|scrapped $", "the|my|our? {event} is|'s off $", "the|my|our? {event} is|was|got|has|have|'s? been? called off $",
	"the|my|our? {event} fell through $", "the|my|our? {event} is not|no longer? happening|on $",
	"i|we|they|he|she have|has|had? to? cancelled|canceled|cancel|scrapped|dropped the|my|our? {event} $", "i|we|they|he|she have|has? called off the|my|our {event} $",
	"i|we|they|he|she have|has? called the|my|our {event} off $")

// givenUp matches "I'm not going to Rome any more". For other people the present tense is enough: "my mum isn't
// visiting".
var givenUp = english.CompileAll("I am~ not {doing} anymore|now $", "I am~ not {doing} any more|longer $", "I am~ not {doing} after all $", "I am~ no longer {doing} $")

var (
	staysAway = english.Compile("I am~ not {doing} $")
	cannot    = english.CompileAll("I can|could|will not come|visit|make anymore|now|it? $", "I can|could|will not come|visit|make it? any|after more|longer|all $", "I cancelled|canceled on|her|his|their? us|me|visit|trip|plans? $")
)

// cancels reads that a plan is cancelled.
func (r *reading) cancels(c english.Clause) bool {
	bare := r.withoutTimes(c)
	i := english.SkipLeads(bare, 0)
	m, value := r.off(bare, i)
	if value == "" {
		return false
	}
	r.add(c, Claim{Kind: rel.Plan, Subject: m.Subject, Relation: "plan", Value: value, Many: true, Negates: true, Changed: true}, 0, len(c.Words))
	return true
}

// off returns the plan that the clause cancels from word i, empty when it cancels none.
func (r *reading) off(c english.Clause, i int) (english.Match, string) {
	if m, ok := cannot.Find(c, i); ok && (m.Kin != "" || m.Subject != "") {
		if slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Kind == rel.Plan && c.Negates }) {
			return m, "" // "my mum isn't visiting, she cancelled" states it twice
		}
		return m, othersPlan(m, "coming")
	}
	if m, ok := calledOff.Find(c, i); ok {
		if event := trimmedEvent(c, m); !english.SpokenOf[english.Normalize(event)] && namesPlan(c, i, event) {
			return m, event
		}
		return m, ""
	}
	if m, ok := givenUp.Find(c, i); ok {
		return m, othersPlan(m, whatDoing(c, m))
	}
	if m, ok := staysAway.Find(c, i); ok && (m.Kin != "" || m.Subject != "") {
		return m, othersPlan(m, whatDoing(c, m))
	}
	return english.Match{}, ""
}

// whatDoing returns the activity of a match, empty for a present one: "I'm not doing that any more".
func whatDoing(c english.Clause, m english.Match) string {
	first := c.Low(m.From)
	if noActivity[first] && first != "going" || m.To-m.From < 2 && m.Kin == "" && m.Subject == "" {
		return ""
	}
	return c.Joined(m.From, m.To)
}

// othersPlan returns another person's activity, with the speaker's kin named as in their plans.
func othersPlan(m english.Match, doing string) string {
	if doing == "" || m.Kin == "" {
		return doing
	}
	return "my " + m.Kin + " " + doing
}
