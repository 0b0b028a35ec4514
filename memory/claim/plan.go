package claim

import (
	"slices"
	"strings"

	"familiar/memory/when"
)

// plannedWording is one way to tell what lies ahead.
type plannedWording struct {
	pattern pattern
	// infinitive says that the slot begins with a verb's plain form or, after "going to", with a place; activity that
	// it begins with an -ing form.
	infinitive, activity bool
}

// planned are the wordings of what lies ahead, read once the time has been taken out of the clause.
var planned = []plannedWording{
	{compile("I have~ got? to {thing}"), true, false},
	{compile("I have~ got? a|an|my|the|our|another|two|three? {thing}"), false, false},
	{compile("we|i got a|an|my|our|another {thing}"), false, false},
	{compile("I am~ going to {thing}"), true, false},
	{compile("I am~ off to {thing}"), true, false},
	{compile("I am~ planning|hoping to {thing}"), true, false},
	{compile("I am~ {doing}"), false, true},
	{compile("I am~ having a|an|my|the|our? {thing}"), false, false},
	{compile("I will {thing}"), true, false},
	{compile("I plan~ to {thing}"), true, false},
	{compile("I need~ to {thing}"), true, false},
	{compile("I hope~ to {thing}"), true, false},
	{compile("I must {thing}"), true, false},
	{compile("there is a|an|my|our {thing}"), false, false},
}

// eventAhead is "my exam is" once "tomorrow" is taken out.
var eventAhead = compileAll("MY {noun} is|starts|begins|are|'s $", "MY {noun} is coming up? $", "the {noun} is|starts|begins $", "MY {noun} will be|start $")

// noEvents are the things one has or does that are no plan.
var noEvents = set("birthday day weekend time fun problem question feeling idea headache cold hope week no nothing free been had")

// noActivity are the -ing forms that lie in the present.
var noActivity = set("looking feeling thinking hoping waiting wondering talking trying kidding joking being having going getting wishing asking saying loving " +
	"living doing")

// got are the words after "getting" that make it something done on a day: "getting married", "getting a haircut".
var got = set("married a an my our the")

// plan reads something ahead with a time.
func (r *reader) plan(c clause) bool {
	bare := r.withoutTimes(c)
	if r.movedPlan(c, bare) {
		return true
	}
	span := r.spanIn(c, func(s when.Span) bool { return !s.Past && s.Until.After(r.u.At) })
	if span == nil {
		return false
	}
	ahead := span.Future || span.From.After(r.u.At)
	i := skipLeads(bare, 0)
	if m, ok := at(bare, i, eventAhead); ok && m.key == "birthday" {
		return r.birthday(c, m, span)
	} else if ok && !noEvents[m.key] {
		r.addPlan(c, m.subject, kinsEvent(m), span)
		return true
	}
	if value := noted(bare, i); value != "" && ahead {
		r.addPlan(c, "", value, span)
		return true
	}
	for _, p := range planned {
		m, ok := p.pattern.find(bare, i)
		if !ok || m.kin != "" && !p.activity || noEvents[bare.low(m.from)] || (p.infinitive || p.activity) && !ahead {
			continue
		}
		if value := p.value(bare, m); value != "" {
			if m.kin != "" {
				value = "my " + m.kin + " " + value
			}
			r.addPlan(c, m.subject, value, span)
			return true
		}
	}
	return false
}

// value is what is planned, empty when the match is none: "I'll see you tomorrow", "I'm looking forward to Friday".
func (p plannedWording) value(c clause, m match) string {
	first, second := c.low(m.from), c.low(m.from+1)
	switch {
	case p.infinitive && noPromises[first] && second == "you":
		return ""
	case p.infinitive:
		return asActivity(c, m)
	case p.activity && noActivity[first] && first != "going" && !(first == "getting" && got[second]):
		return ""
	case !p.activity && function[first] && !counts[first]:
		return ""
	}
	return c.joined(m.from, m.to)
}

// kinsEvent is the event of a match: "interview", or "my sister's wedding".
func kinsEvent(m match) string {
	if m.kin == "" {
		return m.key
	}
	return "my " + m.kin + "'s " + m.key
}

// notedLimit is the longest note of an event, in words.
const notedLimit = 7

// noted is an event noted without a verb, from word i of a clause its times are taken out of: "dentist", "picking up mum
// from the airport"; empty when it is none.
func noted(c clause, i int) string {
	n := trim(c, i, len(c.words)-i)
	if n == 0 || n > notedLimit {
		return ""
	}
	first := c.low(i)
	if strings.HasSuffix(first, "ing") && len(first) > 4 && (!noActivity[first] || first == "going" && c.low(i+1) == "to") && (!function[first] || first == "going") && n > 1 && !isEvent(first) {
		return c.joined(i, i+n)
	}
	heads := false
	for k := i; k < i+n; k++ {
		w := c.low(k)
		if w == "" || auxiliaries[w] || shared[w] || w == "not" || w == "no" || w == "i" || w == "me" || w == "you" || w == "us" || w == "he" || w == "she" || w == "was" {
			return ""
		}
		heads = heads || isEvent(w) && (k < i+3)
	}
	if !heads || function[first] && !counts[first] && first != "my" && first != "the" {
		return ""
	}
	return c.joined(i, i+n)
}

// birthday reads "my birthday is tomorrow": the day of the year is what stays true.
func (r *reader) birthday(c clause, m match, span *when.Span) bool {
	relation := kinRelation(m.kin, "birthday")
	if span.Vague || r.claimed(relation) {
		return false
	}
	r.add(c, Claim{Kind: Fact, Subject: m.subject, Relation: relation, Value: span.From.Format("2 January"), Span: span}, 0, len(c.words))
	return true
}

// claimed says that the relation was already read.
func (r *reader) claimed(relation string) bool {
	return slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Relation == relation })
}

func (r *reader) addPlan(c clause, subject, value string, span *when.Span) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	r.add(c, Claim{Kind: Plan, Subject: subject, Relation: "plan", Value: value, Many: true, Span: span}, 0, len(c.words))
}

// asActivity makes "see the dentist" "seeing the dentist" and, after "going to", "Oslo" "going to Oslo".
func asActivity(c clause, m match) string {
	first, value := c.words[m.from], c.joined(m.from, m.to)
	if first.capital || first.low == "the" || first.low == "a" || first.low == "my" {
		return "going to " + value
	}
	if strings.HasSuffix(first.low, "ing") {
		return value
	}
	_, rest, _ := strings.Cut(value, " ")
	return strings.TrimSpace(gerund(first.low) + " " + rest)
}

// withoutTimes is the clause without the words of its times.
func (r *reader) withoutTimes(c clause) clause {
	words := slices.Clone(c.words)
	words = slices.DeleteFunc(words, func(w word) bool {
		return slices.ContainsFunc(r.spans, func(s when.Span) bool { return w.start >= s.Start && w.start < s.End })
	})
	return newClause(c.text, words)
}

// joined is the words [from, to) with single spaces, for clauses with words taken out.
func (c clause) joined(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		w := c.words[i]
		if i > from && c.words[i-1].end != w.start {
			b.WriteByte(' ')
		}
		b.WriteString(c.text[w.start:w.end])
	}
	return b.String()
}
