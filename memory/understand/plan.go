package understand

import (
	"strings"
	"time"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// Goal is something a speaker works toward for longer than a day or two.
type Goal struct {
	// Text is the goal as an activity: "learning the guitar".
	Text string `json:",omitzero"`
	// Quote is the part of the text that contains the goal.
	Quote string `json:",omitzero"`
	// Span is the time to reach it, nil when no time was named.
	Span *when.Span `json:",omitzero"`
}

// soon is the time before an end within which a goal counts as a plan.
const soon = 3 * 24 * time.Hour

// goal adds a goal of the speaker's.
func (l *learner) goal(f *reader.Fact, of subject) {
	if of != (subject{}) || f.Denied || f.Replaced || l.out.Supposes || l.negated(f) || finished[l.wordBefore(f.Start)] {
		return
	}
	span := l.ahead(f, false)
	if span != nil && span.Until.Sub(l.u.At) < soon {
		return
	}
	l.out.Goals = append(l.out.Goals, Goal{Text: l.activity(f, l.value(f)), Quote: l.sentenceOf(f), Span: span})
}

// finished holds the words before a goal that is reached.
var finished = english.Set("finished completed achieved passed did done ran reached")

// negated reports whether a "not" stands in the clause before the fact.
func (l *learner) negated(f *reader.Fact) bool {
	for _, s := range l.sentences {
		for _, c := range english.Clauses(l.u.Text, s) {
			if f.Start >= c.End() || f.Start < c.Words[0].Start {
				continue
			}
			for i, w := range c.Words {
				if w.Start < f.Start && c.Low(i) == "not" {
					return true
				}
			}
		}
	}
	return false
}

// spokenOf holds the words for a plan that was named before. Only the conversation tells which plan they mean.
var spokenOf = english.Set("it that this they")

// relatePlan relates an event with its time. One that is moved or off need not name it.
func (l *learner) relatePlan(c *Claim, f *reader.Fact, of subject) bool {
	if f.Replaced {
		return false
	}
	c.Kind, c.Relation, c.Subject, c.Corrects = rel.Plan, rel.Planned, of.name, ""
	c.Negates, c.Changed = f.Denied, f.Denied || l.changes()
	c.Span = l.ahead(f, c.Changed && !c.Negates)
	value := english.Words(c.Value)
	for len(value) > 1 && (english.Determiners[value[0].Low] || value[0].Low == "'s") {
		c.Value, value = c.Value[value[1].Start:], english.Words(c.Value[value[1].Start:])
	}
	switch {
	case len(value) == 0 || spokenOf[value[0].Low]:
		c.Value = ""
	case of.kin != "" && of.name == "":
		c.Value = "my " + of.kin + "'s " + c.Value
	default:
		c.Value = l.activity(f, c.Value)
	}
	if c.Negates {
		c.Span = nil
		return c.Value != ""
	}
	return c.Span != nil && (c.Changed || c.Value != "") || c.Changed && c.Value != ""
}

// towards holds the words before the new time of something that is moved, away those before its old one.
var (
	towards = english.Set("to until till for by now")
	away    = english.Set("from not than of")
)

// ahead returns the time of the fact: the nearest one in its passage that is to come, nil for none. Something moved "to
// Friday" was moved to the coming Friday, and what it was moved from does not count.
func (l *learner) ahead(f *reader.Fact, moved bool) (best *when.Span) {
	least := 0
	for i := range l.spans {
		s := l.spans[i]
		if s.Start < l.passage.Start || s.End > l.passage.End {
			continue
		}
		distance := max(f.Start-s.End, s.Start-f.End)
		if moved {
			s = l.coming(s)
			first, _, _ := strings.Cut(english.Normalize(s.Text), " ")
			switch before := l.wordBefore(s.Start); {
			case away[before] || away[first]:
				continue
			case towards[before] || towards[first]:
				distance = -1
			}
		}
		if s.Until.After(l.u.At) && !s.Past && (best == nil || distance < least) {
			best, least = &s, distance
		}
	}
	return best
}

// coming returns the span a week later if it has just passed.
func (l *learner) coming(s when.Span) when.Span {
	if week := 7; !s.Clock && !s.Until.After(l.u.At) && s.Until.AddDate(0, 0, week).After(l.u.At) {
		s.From, s.Until, s.Past = s.From.AddDate(0, 0, week), s.Until.AddDate(0, 0, week), false
	}
	return s
}

// wordBefore returns the normalized word before the byte.
func (l *learner) wordBefore(at int) string {
	words := strings.Fields(l.u.Text[:at])
	if len(words) == 0 {
		return ""
	}
	return english.Normalize(strings.TrimRight(words[len(words)-1], ",.:;"))
}

// infinitives holds the words before a verb's plain form.
var infinitives = english.Set("to will gonna must i'll we'll can should gotta")

// activity returns the value of a fact as something that one does or has: "to see the dentist" is "seeing the dentist".
func (l *learner) activity(f *reader.Fact, value string) string {
	first, rest, _ := strings.Cut(value, " ")
	at := f.Start + max(0, strings.Index(l.text(f.Start, f.End), value))
	if !infinitives[l.wordBefore(at)] || english.Determiners[english.Normalize(first)] || english.Normalize(first) != first {
		return value
	}
	return strings.TrimSpace(english.Gerund(first) + " " + rest)
}

// movesLast reads a correction that leaves out what it moves: "no wait, Thursday" moves the plan mentioned last.
func (l *learner) movesLast() {
	if !l.changes() || !l.short() || l.out.Question != nil {
		return
	}
	if span := l.ahead(&reader.Fact{Start: l.passage.Start, End: l.passage.End}, true); span != nil && !l.isDate(span) {
		l.out.Claims = append(l.out.Claims, Claim{Kind: rel.Plan, Relation: rel.Planned, Many: true, Changed: true, Span: span, Quote: l.text(l.passage.Start, l.passage.End)})
	}
}

// isDate reports whether a span names a day of the year, which may also be a birthday.
func (l *learner) isDate(s *when.Span) bool {
	for _, w := range english.Words(s.Text) {
		if english.Months[w.Low] {
			return true
		}
	}
	return false
}
