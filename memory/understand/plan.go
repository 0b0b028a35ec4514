package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// plannedWording is a wording for a plan.
type plannedWording struct {
	pattern english.Pattern
	// infinitive reports that the slot begins with a verb's plain form or, after "going to", with a place. activity
	// reports that it begins with an -ing form.
	infinitive, activity bool
}

// planned are the wordings for plans. They match a clause with its time removed.
var planned = []plannedWording{
	{english.Compile("I have~ got? to {thing}"), true, false},
	{english.Compile("I have~ got? a|an|my|the|our|another|two|three? {thing}"), false, false},
	{english.Compile("we|i got a|an|my|our|another {thing}"), false, false},
	{english.Compile("I am~ going to {thing}"), true, false},
	{english.Compile("I am~ off to {thing}"), true, false},
	{english.Compile("I am~ planning|hoping to {thing}"), true, false},
	{english.Compile("I am~ {doing}"), false, true},
	{english.Compile("I am~ having a|an|my|the|our? {thing}"), false, false},
	{english.Compile("I will {thing}"), true, false},
	{english.Compile("I plan~ to {thing}"), true, false},
	{english.Compile("I need~ to {thing}"), true, false},
	{english.Compile("I hope~ to {thing}"), true, false},
	{english.Compile("I must {thing}"), true, false},
	{english.Compile("there is a|an|my|our {thing}"), false, false},
}

// eventAhead matches "my exam is" when "tomorrow" is removed.
var eventAhead = english.CompileAll("MY {noun} is|starts|begins|are|'s $", "MY {noun} is coming up? $", "the {noun} is|starts|begins $", "MY {noun} will be|start $")

// noEvents holds the things that people have or do that are not plans.
var noEvents = english.Set("birthday day weekend time fun problem question feeling idea headache cold hope week no nothing free been had")

// noActivity holds the -ing forms for the present.
var noActivity = english.Set("looking feeling thinking hoping waiting wondering talking trying kidding joking being having going getting wishing asking saying loving " +
	"living doing")

// got holds the words that make "getting" an activity on a day: "getting married", "getting a haircut".
var got = english.Set("married a an my our the")

// plan reads a future event with a time.
func (r *reading) plan(c english.Clause) bool {
	bare := r.withoutTimes(c)
	if r.movedPlan(c, bare) {
		return true
	}
	span := r.spanIn(c, func(s when.Span) bool { return !s.Past && s.Until.After(r.u.At) })
	if span == nil {
		return false
	}
	ahead := span.Future || span.From.After(r.u.At)
	i := english.SkipLeads(bare, 0)
	if m, ok := eventAhead.Find(bare, i); ok && m.Key == "birthday" {
		return r.birthday(c, m, span)
	} else if ok && !noEvents[m.Key] {
		r.addPlan(c, m.Subject, kinsEvent(m), span)
		return true
	}
	if value := noted(bare, i); value != "" && ahead {
		r.addPlan(c, "", value, span)
		return true
	}
	for _, p := range planned {
		m, ok := p.pattern.Find(bare, i)
		if !ok || m.Kin != "" && !p.activity || noEvents[bare.Low(m.From)] || (p.infinitive || p.activity) && !ahead {
			continue
		}
		if value := p.value(bare, m); value != "" {
			if m.Kin != "" {
				value = "my " + m.Kin + " " + value
			}
			r.addPlan(c, m.Subject, value, span)
			return true
		}
	}
	return false
}

// value returns what is planned, empty when the match is not a plan: "I'll see you tomorrow", "I'm looking forward to
// Friday".
func (p plannedWording) value(c english.Clause, m english.Match) string {
	first, second := c.Low(m.From), c.Low(m.From+1)
	switch {
	case p.infinitive && noPromises[first] && second == "you":
		return ""
	case p.infinitive:
		return asActivity(c, m)
	case p.activity && noActivity[first] && first != "going" && !(first == "getting" && got[second]):
		return ""
	case !p.activity && english.Function[first] && !english.Counts[first]:
		return ""
	}
	return c.Joined(m.From, m.To)
}

// kinsEvent returns the event of a match: "interview", or "my sister's wedding".
func kinsEvent(m english.Match) string {
	if m.Kin == "" {
		return m.Key
	}
	return "my " + m.Kin + "'s " + m.Key
}

// notedLimit is the longest note of an event in words.
const notedLimit = 7

// noted returns an event noted without a verb from word i: "dentist", "picking up mum from the airport". It is empty
// when there is none. The clause has its times removed.
func noted(c english.Clause, i int) string {
	n := english.Trim(c, i, len(c.Words)-i)
	if n == 0 || n > notedLimit {
		return ""
	}
	first := c.Low(i)
	if strings.HasSuffix(first, "ing") && len(first) > 4 && (!noActivity[first] || first == "going" && c.Low(i+1) == "to") && (!english.Function[first] || first == "going") && n > 1 && !english.IsEvent(first) {
		return c.Joined(i, i+n)
	}
	heads := false
	for k := i; k < i+n; k++ {
		w := c.Low(k)
		if w == "" || english.Auxiliaries[w] || english.Shared[w] || w == "not" || w == "no" || w == "i" || w == "me" || w == "you" || w == "us" || w == "he" || w == "she" || w == "was" {
			return ""
		}
		heads = heads || english.IsEvent(w) && (k < i+3)
	}
	if !heads || english.Function[first] && !english.Counts[first] && first != "my" && first != "the" {
		return ""
	}
	return c.Joined(i, i+n)
}

// birthday reads "my birthday is tomorrow". Only the day of the year remains true.
func (r *reading) birthday(c english.Clause, m english.Match, span *when.Span) bool {
	relation := rel.KinRelation(m.Kin, "birthday")
	if span.Vague || r.claimed(relation) {
		return false
	}
	r.add(c, Claim{Kind: rel.Fact, Subject: m.Subject, Relation: relation, Value: span.From.Format("2 January"), Span: span}, 0, len(c.Words))
	return true
}

// claimed reports whether the relation was already read.
func (r *reading) claimed(relation string) bool {
	return slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Relation == relation })
}

func (r *reading) addPlan(c english.Clause, subject, value string, span *when.Span) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	r.add(c, Claim{Kind: rel.Plan, Subject: subject, Relation: "plan", Value: value, Many: true, Span: span}, 0, len(c.Words))
}

// asActivity rewrites "see the dentist" as "seeing the dentist" and, after "going to", "Oslo" as "going to Oslo".
func asActivity(c english.Clause, m english.Match) string {
	first, value := c.Words[m.From], c.Joined(m.From, m.To)
	if first.Capital || first.Low == "the" || first.Low == "a" || first.Low == "my" {
		return "going to " + value
	}
	if strings.HasSuffix(first.Low, "ing") {
		return value
	}
	_, rest, _ := strings.Cut(value, " ")
	return strings.TrimSpace(english.Gerund(first.Low) + " " + rest)
}

// withoutTimes returns the clause without the words of its times.
func (r *reading) withoutTimes(c english.Clause) english.Clause {
	words := slices.Clone(c.Words)
	words = slices.DeleteFunc(words, func(w english.Word) bool {
		return slices.ContainsFunc(r.spans, func(s when.Span) bool { return w.Start >= s.Start && w.Start < s.End })
	})
	return english.NewClause(c.Text, words)
}
