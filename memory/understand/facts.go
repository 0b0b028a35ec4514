package understand

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
)

const (
	// sureEnough is how likely a fact must be to become a claim: four of five are right.
	sureEnough = 0.55
	// sureOfState is how likely it must be that a remark tells a lasting state: people remark on bakeries, tennis and
	// midwives that are not their own.
	sureOfState = 0.86
	// sureOfPair is how likely it must be if the message has the right and the wrong value.
	sureOfPair = 0.35
	// sureOfClass is how likely a message must be a correction to count as one without a wrong value.
	sureOfClass = 0.75
	// sureOfGoal is how likely a goal must be: few things are told that only look like one.
	sureOfGoal = 0.5
)

// lasting holds the relations that remarks on the day are easily read as.
var lasting = english.Set("works_as works_at plays lives_in studies_at")

// lately is how long ago a day may be that a remark is about.
const lately = 60 * 24 * time.Hour

// facts adds what the trained reader reads to the claims.
func (r *reading) facts() {
	for _, p := range r.passages {
		if !r.meant(p.Start) {
			continue
		}
		r.out.Corrects = r.out.Corrects || p.Class == "corrects" && p.Sure >= sureOfClass
		l := &learner{reading: r, passage: p, before: len(r.out.Claims)}
		for i := range p.Facts {
			l.fact(&p.Facts[i])
		}
		if len(r.out.Claims) == l.before {
			l.movesLast()
		}
	}
}

// learner turns the facts of a passage into claims.
type learner struct {
	*reading
	passage reader.Reading
	// before is how many claims there were before.
	before int
}

// fact adds one fact.
func (l *learner) fact(f *reader.Fact) {
	if f.Sure < l.enough(f) || l.asks(f) || l.reported(f) || l.ofPersona(f) || l.known(f) || l.withinWord(f) {
		return
	}
	of, ok := l.subject(f)
	if !ok {
		return
	}
	c := Claim{Kind: rel.Fact, Value: l.value(f), Negates: f.Denied, Quote: l.sentenceOf(f)}
	switch l.passage.Class {
	case "changes":
		c.Changed = true
	case "corrects":
		if c.Corrects = l.replaced(f); c.Corrects == c.Value {
			c.Corrects = ""
		}
		c.Correction = c.Corrects != "" || l.passage.Sure >= sureOfClass
	}
	_, cued := sentenceAt(l.cued, f.Start)
	c.Correction = c.Correction || cued
	if !l.relate(&c, f, of) || f.Replaced && l.replaces(f) {
		return
	}
	if f.Replaced && !l.corrected(&c, f) {
		return
	}
	if c.Span == nil {
		c.Span = l.spanOf(f)
	}
	c.Changed = c.Changed || c.Negates && l.ended(f)
	c.Many = rel.Many(c.Relation) || l.several(f)
	l.claim(c)
	l.alsoDenied(c)
}

// more holds the words that tell of an additional one.
var more = english.Set("another also second third fourth other too")

// several reports whether the fact's value is one of several: others are told with it, or it is told to be another one.
func (l *learner) several(f *reader.Fact) bool {
	if f.Denied || f.Replaced || f.Relation == "together_with" {
		return false
	}
	if slices.ContainsFunc(l.passage.Facts, func(o reader.Fact) bool {
		return o.Relation == f.Relation && o.Start != f.Start && o.SubjectStart == f.SubjectStart && !o.Denied && !o.Replaced && o.Sure >= sureEnough
	}) {
		return l.passage.Class != "corrects"
	}
	s, _ := sentenceAt(l.sentences, f.Start)
	return slices.ContainsFunc(s.Words, func(w english.Word) bool { return more[w.Low] && w.Start < f.End })
}

// value returns the value of a fact as written. It ends with a word, an abbreviation with its full stop, and the name after a
// title.
func (l *learner) value(f *reader.Fact) string {
	end := f.End
	for _, s := range l.sentences {
		for i, w := range s.Words {
			if w.Start < end && w.End > f.Start && w.Start >= f.Start {
				end = max(end, w.End)
				if i+1 < len(s.Words) && w.Capital && english.IsTitle(w.Low) && s.Words[i+1].Capital {
					end = max(end, s.Words[i+1].End)
				}
			}
		}
	}
	return strings.TrimSpace(l.text(f.Start, end))
}

// claim adds a claim that is new. Of several values where only one can hold, the last holds.
func (l *learner) claim(c Claim) {
	i := slices.IndexFunc(l.out.Claims, func(o Claim) bool {
		return o.Relation == c.Relation && o.Subject == c.Subject && (!c.Many || o.Value == c.Value) && o.Negates == c.Negates
	})
	switch {
	case i < 0:
		l.out.Claims = append(l.out.Claims, c)
	case !c.Many && !c.Negates && l.out.Claims[i].Corrects == "":
		l.out.Claims[i] = c
	}
}

// alsoDenied adds what a denial denies besides: who has no dog has no name for it, who left their job left the workplace.
func (l *learner) alsoDenied(c Claim) {
	if !c.Negates {
		return
	}
	kin, of := rel.CutKin(c.Relation)
	switch of {
	case "has_pet", "has_person":
		if named := english.KinKey(english.LastWord(english.Normalize(c.Value))); english.IsKin(named) {
			c.Relation, c.Value = rel.KinRelation(kin, rel.KinRelation(named, "name")), ""
			l.claim(c)
		}
	case "works_as":
		if c.Value == "" {
			c.Relation = rel.KinRelation(kin, "works_at")
			l.claim(c)
		}
	case "owns":
		c.Relation = rel.KinRelation(kin, "drives")
		l.claim(c)
	default:
		if c.Value == "" && kin == "" && slices.Contains(rel.Partners(c.Relation), c.Relation) {
			c.Relation = "together_with"
			l.claim(c)
		}
	}
}

// enough returns how sure a fact must be. What happened on a day is no state, unless it tells of a change.
func (l *learner) enough(f *reader.Fact) float64 {
	switch {
	case l.paired(f):
		return sureOfPair
	case f.Relation == "goal":
		return sureOfGoal
	case !lasting[f.Relation] || l.changes() || l.words() <= plainWords:
		return sureEnough
	}
	for _, s := range l.spans {
		if s.Past && s.Start >= l.passage.Start && s.End <= l.passage.End && l.u.At.Sub(s.From) < lately {
			return 1
		}
	}
	return sureOfState
}

// plainWords is how many words a message has at most that tells little else: "I'm a nurse".
const plainWords = 5

// words returns the number of words in the passage.
func (l *learner) words() int { return len(strings.Fields(l.text(l.passage.Start, l.passage.End))) }

// changes reports whether the passage tells that something is otherwise than it was or than was said.
func (l *learner) changes() bool {
	return l.passage.Class == "corrects" || l.passage.Class == "changes"
}

// paired reports whether the passage has the right and the wrong value of one relation: each confirms the other.
func (l *learner) paired(f *reader.Fact) bool {
	return l.changes() && slices.ContainsFunc(l.passage.Facts, func(o reader.Fact) bool {
		return o.Relation == f.Relation && o.Replaced != f.Replaced && o.Sure >= sureOfPair
	})
}

// known reports whether a pattern has read the words of the fact: a wish or a fact about the world.
func (l *learner) known(f *reader.Fact) bool {
	return slices.ContainsFunc(l.out.Claims[:l.before], func(o Claim) bool {
		at := strings.Index(l.u.Text, o.Quote)
		return at <= f.Start && f.Start < at+len(o.Quote)
	})
}

// corrected turns the claim of a wrong value into one of the right value, which is what the passage says after it. It returns
// false if that is unclear. What has only changed holds no longer.
func (l *learner) corrected(c *Claim, wrong *reader.Fact) bool {
	if l.passage.Class != "corrects" {
		c.Negates = true
		return true
	}
	for i := range l.passage.Facts {
		if f := &l.passage.Facts[i]; f.Start >= wrong.End && !f.Replaced && !f.Denied {
			c.Corrects, c.Value, c.Correction = c.Value, l.value(f), true
			return true
		}
	}
	return false
}

// replaces reports whether the passage gives another value in place of the fact's.
func (l *learner) replaces(f *reader.Fact) bool {
	return slices.ContainsFunc(l.passage.Facts, func(o reader.Fact) bool { return !o.Replaced && !o.Denied && o.Relation == f.Relation })
}

// replaced returns the wrong value that the fact's value replaces, empty when the passage does not give it.
func (l *learner) replaced(f *reader.Fact) string {
	for _, o := range l.passage.Facts {
		if o.Replaced && o.Relation == f.Relation {
			return l.text(o.Start, o.End)
		}
	}
	return ""
}
