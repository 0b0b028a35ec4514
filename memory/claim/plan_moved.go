package claim

import (
	"slices"
	"strings"

	"familiar/memory/when"
)

// What becomes of plans before their day: they are moved, or called off.

// moved is "the interview was moved to", the new time taken out. The time may have taken its preposition along.
var moved = slices.Concat(compileAll("the|my|our? {event} is|was|got|has|have|'s? been? moved|rescheduled|postponed|shifted|pushed|changed|delayed|bumped|switched back|forward|up? from? to|until|till|for|by? $",
	"the|my|our? {event} is|was|got|has|have|'s? been? brought|put forward|back|off|up from? to|until|till|for|by? $",
	"the|my|our? {event} is|'s now on|at|for|in? $", "the|my|our? {event} is|'s on|at? now|instead $", "the|my|our? {event} will be on|at? instead|now $",
	"the|my|our? {event} will not be until|till? $"),
	movedBy("i|we|they|he|she"), movedBy("I"), movedBy("the|my|our {noun}"))

// movedBy is "they moved the interview to", by whoever moves it.
func movedBy(who string) []pattern {
	who += " have|has|had|need|will? to? just? "
	return compileAll(who+"moved|move|rescheduled|reschedule|postponed|postpone|shifted|shift|pushed|push|changed|change|delayed|delay|switched|rebooked back|forward? the|my|our? {event} back|forward? from? to|until|till|for|by? $",
		who+"brought|bring|put forward|back|off the|my|our? {event} from? to|until|till|for|by? $",
		who+"brought|bring|put the|my|our? {event} forward|back|off from? to|until|till|for|by? $")
}

// itIs moves a plan when it contradicts: "no, it's on Thursday".
var itIs = compile("{event} is|'s on|at|in? actually? $")

// contradicting are the openings of what is otherwise than was thought.
var contradicting = compileAll("turns out that?", "scratch|forget that")

// notThen is "my interview isn't on Wednesday", the time taken out: when it is instead comes next, or came before, as in
// "my interview is on Thursday, not Wednesday".
var notThen = compile("the|my|our? {event} is|'s on|at|in? not on|at|in? $")

// towards are the words before a new time.
var towards = set("to until till til for by")

// movedPlan reads that something planned has got another day, which may not be named. The day lies ahead, whatever the
// tense of the verb. Anything may be moved ("the sofa was moved"): without a day it must be an event by its word, with
// one it may be anything that is moved to it.
func (r *reader) movedPlan(c, bare clause) bool {
	m, i, contradicts := r.findMoved(c, bare)
	if i < 0 {
		return false
	}
	event := trimmedEvent(bare, m)
	it, isEvent := spokenOf[fold(event)], holdsEvent(event)
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
	r.add(c, Claim{Kind: Plan, Relation: "plan", Value: event, Many: true, Changed: true, Span: r.aheadOf(span)}, 0, len(c.words))
	return true
}

// findMoved is where the clause, its times taken out as in bare, tells what was moved: at its start or after a comma. It
// is -1 when nothing is. contradicts says that it only tells what is otherwise than was said.
func (r *reader) findMoved(c, bare clause) (m match, i int, contradicts bool) {
	start := skipLeads(bare, 0)
	contradicts = r.moving != "" || r.cue
	for start+1 < len(bare.words) && noLeads[bare.low(start)] {
		start, contradicts = start+1, true
	}
	if m, ok := at(bare, start, contradicting); ok {
		start, contradicts = m.end, true
	}
	for i := start; i < len(bare.words); i++ {
		if i > start && !bare.words[i].comma {
			continue
		}
		m, ok := at(bare, i, moved)
		if !ok && contradicts {
			m, ok = itIs.find(bare, i)
		}
		if ok {
			return m, i, contradicts
		}
	}
	m, ok := notThen.find(bare, start)
	span := r.spanIn(c, nil)
	switch {
	case !ok || span == nil:
	case c.before(span.Start) != "not":
		return m, start, true
	default:
		r.moving = trimmedEvent(bare, m)
	}
	return match{}, -1, false
}

// movedTo is the time that something is moved to, which stands after the one it is moved from; nil when none is named.
func (r *reader) movedTo(c clause) *when.Span {
	to := r.spanIn(c, func(s when.Span) bool {
		first, _, _ := strings.Cut(fold(s.Text), " ")
		return towards[first] || towards[c.before(s.Start)]
	})
	if to != nil {
		return to
	}
	return r.spanIn(c, nil)
}

// before is the folded word that ends before the byte.
func (c clause) before(start int) string {
	low := ""
	for i := range c.words {
		if c.words[i].start < start {
			low = c.low(i)
		}
	}
	return low
}

// sameAsBefore gives the plan that the utterance has just moved, or made, the time it is told now: "the meeting has been
// rescheduled, it's now on Friday".
func (r *reader) sameAsBefore(span *when.Span) bool {
	n := len(r.out.Claims)
	if n == 0 || span == nil {
		return false
	}
	last := &r.out.Claims[n-1]
	if last.Kind != Plan || last.Negates || last.Changed && last.Span != nil {
		return false
	}
	to := *r.aheadOf(span)
	if to.Clock && last.Span != nil {
		to = to.On(last.Span.From)
	}
	last.Span = &to
	return true
}

// rightsDay reads another day for a plan: "no wait, Thursday", "it's Thursday, not Wednesday".
func (r *reader) rightsDay(c clause) bool {
	span := r.spanIn(c, nil)
	if span == nil || mentionsMonth(c) {
		return false
	}
	if relation, _ := r.corrected(""); relation != "" && relation != "plan" {
		return false
	}
	if !r.sameAsBefore(span) {
		r.add(c, Claim{Kind: Plan, Relation: "plan", Many: true, Changed: true, Span: r.aheadOf(span)}, 0, len(c.words))
	}
	return true
}

// mentionsMonth says that a date of the year is named, which may as well be a birthday's.
func mentionsMonth(c clause) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return months[w.low] })
}

// trimmedEvent is the plan of a match without what its verb lends it.
func trimmedEvent(c clause, m match) string {
	from, to := m.from, m.to
	for to > from && (c.low(to-1) == "'s" || c.low(to-1) == "just" || towards[c.low(to-1)]) {
		to--
	}
	return strings.TrimSpace(c.joined(from, to))
}

// namesPlan says that what begins at word i names a plan: it is an event, or is pointed at in the clause.
func namesPlan(c clause, i int, event string) bool {
	return holdsEvent(event) || mentions(c, i, "the") || mentions(c, i, "my") || mentions(c, i, "our")
}

func holdsEvent(phrase string) bool {
	return slices.ContainsFunc(strings.Fields(fold(phrase)), isEvent)
}

// directed says that the time is what something is moved to, or now is at, and not when it was moved.
func (r *reader) directed(bare clause, span *when.Span) bool {
	last := bare.low(len(bare.words) - 1)
	first, _, _ := strings.Cut(fold(span.Text), " ")
	return towards[last] || towards[first] || last == "now" || last == "instead" || last == "not" || mentions(bare, 0, "now")
}

// aheadOf is the span a week on when it has just passed: what was moved "to Friday" was moved to the coming one.
func (r *reader) aheadOf(span *when.Span) *when.Span {
	if span == nil {
		return nil
	}
	ahead := *span
	if week := 7; !ahead.Clock && !ahead.Until.After(r.u.At) && ahead.Until.AddDate(0, 0, week).After(r.u.At) {
		ahead.From, ahead.Until, ahead.Past = ahead.From.AddDate(0, 0, week), ahead.Until.AddDate(0, 0, week), false
	}
	return &ahead
}

// calledOff is "the interview is cancelled".
var calledOff = compileAll("the|my|our? {event} is|was|got|has|have|'s? been? cancelled|canceled|scrapped $", "the|my|our? {event} is|'s off $", "the|my|our? {event} is|was|got|has|have|'s? been? called off $",
	"the|my|our? {event} fell through $", "the|my|our? {event} is not|no longer? happening|on $",
	"i|we|they|he|she have|has|had? to? cancelled|canceled|cancel|scrapped|dropped the|my|our? {event} $", "i|we|they|he|she have|has? called off the|my|our {event} $",
	"i|we|they|he|she have|has? called the|my|our {event} off $")

// givenUp is "I'm not going to Rome any more"; of others the present alone says so: "my mum isn't visiting".
var givenUp = compileAll("I am~ not {doing} anymore|now $", "I am~ not {doing} any more|longer $", "I am~ not {doing} after all $", "I am~ no longer {doing} $")

var (
	staysAway = compile("I am~ not {doing} $")
	cannot    = compileAll("I can|could|will not come|visit|make anymore|now|it? $", "I can|could|will not come|visit|make it? any|after more|longer|all $", "I cancelled|canceled on|her|his|their? us|me|visit|trip|plans? $")
)

// cancels reads that something planned will not be.
func (r *reader) cancels(c clause) bool {
	bare := r.withoutTimes(c)
	i := skipLeads(bare, 0)
	m, value := r.off(bare, i)
	if value == "" {
		return false
	}
	r.add(c, Claim{Kind: Plan, Subject: m.subject, Relation: "plan", Value: value, Many: true, Negates: true, Changed: true}, 0, len(c.words))
	return true
}

// off is what the clause from word i says will not be, empty when it says nothing of the kind.
func (r *reader) off(c clause, i int) (match, string) {
	if m, ok := at(c, i, cannot); ok && (m.kin != "" || m.subject != "") {
		if slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Kind == Plan && c.Negates }) {
			return m, "" // "my mum isn't visiting, she cancelled" says it twice
		}
		return m, othersPlan(m, "coming")
	}
	if m, ok := at(c, i, calledOff); ok {
		if event := trimmedEvent(c, m); !spokenOf[fold(event)] && namesPlan(c, i, event) {
			return m, event
		}
		return m, ""
	}
	if m, ok := at(c, i, givenUp); ok {
		return m, othersPlan(m, whatDoing(c, m))
	}
	if m, ok := staysAway.find(c, i); ok && (m.kin != "" || m.subject != "") {
		return m, othersPlan(m, whatDoing(c, m))
	}
	return match{}, ""
}

// whatDoing is the activity of a match, empty for one that lies in the present: "I'm not doing that any more".
func whatDoing(c clause, m match) string {
	first := c.low(m.from)
	if noActivity[first] && first != "going" || m.to-m.from < 2 && m.kin == "" && m.subject == "" {
		return ""
	}
	return c.joined(m.from, m.to)
}

// othersPlan is what somebody does, with the speaker's kin named as in their plans.
func othersPlan(m match, doing string) string {
	if doing == "" || m.kin == "" {
		return doing
	}
	return "my " + m.kin + " " + doing
}
