package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// relate fills in what the claim relates. It returns false for a fact that is not kept.
func (l *learner) relate(c *Claim, f *reader.Fact, of subject) bool {
	if of.thing != "" {
		return l.relateThing(c, f, of.thing)
	}
	key := direct[f.Relation]
	switch f.Relation {
	case "person_name", "pet_name":
		if of.kin == "" || l.passage.Class == "wishes" || of.name != "" {
			return false
		}
		c.Relation = rel.KinRelation(english.KinKey(of.kin), "name")
		return startsName(c.Value)
	case "name":
		if of.kin != "" {
			c.Relation = rel.KinRelation(english.KinKey(of.kin), "name")
			return startsName(c.Value)
		}
		if !startsName(c.Value) && strings.Contains(c.Value, " ") {
			return false // "my name is hard to spell"
		}
	case "call_me":
		if !startsName(c.Value) {
			return false
		}
		c.Kind, key = rel.Instruction, rel.CallMe
	case "lives_in", "from", "born_in", "works_at":
		if l.isTime(f) {
			return false
		}
	case "likes", "dislikes":
		c.Kind, key = rel.Taste, f.Relation
	case "person", "pet":
		if l.passage.Class == "wishes" {
			return false
		}
		key = "has_" + f.Relation
		c.Value = l.withArticle(f)
	case "died":
		return l.relateDeath(c, f, of)
	case "plan":
		return l.relatePlan(c, f, of)
	case "feels":
		if of != (subject{}) || c.Negates || l.passage.Class != "feels" || Intensity(english.LastWord(c.Value)) < strongFeeling || directed[l.after(f)] {
			return false
		}
		c.Kind, key, c.Value = rel.Feeling, "feels", english.LastWord(c.Value)
	case "together_with":
		if !startsName(c.Value) {
			key = "has_person"
			c.Value = l.withArticle(f)
		}
	}
	if key == "" || key == rel.CallMe && of != (subject{}) {
		return false
	}
	c.Relation, c.Subject = rel.KinRelation(of.kin, key), of.name
	return true
}

// strongFeeling is the weakest feeling that counts beside those that patterns read.
const strongFeeling = 0.5

// directed holds the words after a feeling about somebody or something: "proud of you".
var directed = english.Set("of you to that")

// after returns the word after the fact.
func (l *learner) after(f *reader.Fact) string {
	rest := strings.TrimLeft(l.u.Text[f.End:], " ")
	if end := strings.IndexAny(rest, " ,.!?"); end >= 0 {
		rest = rest[:end]
	}
	return english.Normalize(rest)
}

// isTime reports whether the value is a time: "born in May".
func (l *learner) isTime(f *reader.Fact) bool {
	return slices.ContainsFunc(l.spans, func(s when.Span) bool { return s.Start <= f.Start && f.Start < s.End })
}

// relateThing relates what is told of a thing: "locker code" is "4432", the favourite "colour" is "lilac".
func (l *learner) relateThing(c *Claim, f *reader.Fact, thing string) bool {
	switch {
	case f.Relation == "favourite":
		c.Relation = "favourite " + thing
	case f.Relation == "fact" && !c.Negates && !english.Function[thing] && !english.Pronouns[thing]:
		c.Relation = l.nounAt(f.SubjectStart, thing)
	default:
		return false
	}
	return true
}

// nounAt returns the thing with the noun before it, if that is one: "locker code".
func (l *learner) nounAt(start int, thing string) string {
	for _, s := range l.sentences {
		for i, w := range s.Words {
			if w.Start == start && i > 0 && !s.Words[i-1].Comma && !w.Comma {
				if before := s.Words[i-1]; english.NameWord(before.Low) && !english.Function[before.Low] && !english.Adverbs[before.Low] {
					return before.Low + " " + thing
				}
			}
		}
	}
	return thing
}

// relateDeath relates who has died: kin, or somebody with a name.
func (l *learner) relateDeath(c *Claim, f *reader.Fact, of subject) bool {
	kin := l.kinAt(lastWordStart(l.u.Text, *f))
	switch {
	case c.Negates:
		return false
	case kin != "":
		c.Relation = rel.KinRelation(kin, rel.DeathRelation)
	case startsName(c.Value):
		c.Subject, c.Relation = c.Value, rel.DeathRelation
	default:
		return false
	}
	c.Value = "died"
	return true
}

// relatePlan relates an event with the time that its passage names.
func (l *learner) relatePlan(c *Claim, f *reader.Fact, of subject) bool {
	if of != (subject{}) || c.Negates || f.Replaced {
		return false
	}
	for i := range l.spans {
		s := &l.spans[i]
		if s.Start >= l.passage.Start && s.End <= l.passage.End && !s.Past && s.Until.After(l.u.At) && (c.Span == nil || near(s, f) < near(c.Span, f)) {
			c.Span = s
		}
	}
	c.Kind, c.Relation = rel.Plan, rel.Planned
	return c.Span != nil
}

// near returns how many bytes are between the time and the fact.
func near(s *when.Span, f *reader.Fact) int { return max(f.Start-s.End, s.Start-f.End) }

// withArticle returns the value with the article or number before it: "a brother", "two cats".
func (l *learner) withArticle(f *reader.Fact) string {
	before := strings.TrimRight(l.u.Text[:f.Start], " ")
	if last := before[strings.LastIndexAny(before, " \n")+1:]; english.Counts[english.Normalize(last)] {
		return l.text(len(before)-len(last), f.End)
	}
	return l.text(f.Start, f.End)
}

// startsName reports whether a value begins like a name.
func startsName(value string) bool {
	words := english.Words(value)
	return len(words) > 0 && words[0].Capital
}
