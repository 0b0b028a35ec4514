package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// direct maps the reader's relations that are kept under a key of their own to that key.
var direct = map[string]string{
	"name": "name", "age": "age", "birthday": "birthday", "birth_year": "birth_year", "from": "from", "born_in": "born_in",
	"nationality": "nationality", "speaks": "speaks", "religion": "religion", "lives_in": "lives_in", "works_as": "works_as",
	"works_at": "works_at", "hours": "hours", "earns": "earns", "studies": "studies", "studies_at": "studies_at", "grade": "grade",
	"marital_status": "marital_status", "allergic_to": "allergic_to", "illness": "illness", "injury": "injury", "medicine": "medicine",
	"diet": "diet", "afraid_of": "afraid_of", "hobby": "hobby", "plays": "plays", "drives": "drives", "owns": "owns", "bought": "bought",
	"lost": "lost", "habit": "habit", "event": "event", "goal": "goal", "wish": "wish", "pronouns": "pronouns",
	"together_with": "together_with", "likes": "likes", "dislikes": "dislikes", "person": "has_person", "pet": "has_pet",
	"call_me": rel.CallMe,
}

// relate fills in what the claim relates. It returns false for a fact that is not kept.
func (l *learner) relate(c *Claim, f *reader.Fact, of subject) bool {
	if of.thing != "" {
		return l.relateThing(c, f, of)
	}
	key := direct[f.Relation]
	switch f.Relation {
	case "person_name", "pet_name":
		if of == (subject{}) {
			of.kin = l.antecedent(f)
		}
		if of.kin == "" || l.passage.Class == "wishes" {
			return false
		}
		key = "name"
	case "name":
		if of.kin == "" && strings.Contains(c.Value, " ") && !startsName(c.Value) {
			return false // "my name is hard to spell"
		}
		if l.short() && c.Corrects != "" {
			key = "" // "not Rex, Milo" may be anybody's name: it takes the relation of the wrong value
		}
	case "call_me":
		c.Kind = rel.Instruction
		if of != (subject{}) {
			return false
		}
	case "lives_in", "from", "born_in", "works_at":
		if l.isTime(f) || f.Relation == "lives_in" && l.ofMeeting(f) {
			return false
		}
	case "likes", "dislikes":
		c.Kind = rel.Taste
	case "person", "pet":
		if l.passage.Class == "wishes" {
			return false
		}
		c.Value = l.withArticle(f)
	case "died":
		return l.relateDeath(c, f, of)
	case "plan":
		return l.relatePlan(c, f, of)
	case "goal":
		l.goal(f, of)
	case "birthday":
		if l.plans() {
			return false // "the meeting with Paul is on 3 March"
		}
		c.Value, c.Span = l.day(f)
	case "feels":
		if of != (subject{}) || Intensity(english.LastWord(c.Value)) == 0 || directed[l.after(f)] {
			return false
		}
		c.Kind, key, c.Value = rel.Feeling, "feels", english.LastWord(english.Normalize(c.Value))
	case "together_with":
		if l.plans() {
			return false
		}
		key = l.relatePartner(c, f)
	case "works_as":
		if c.Negates && employments[english.LastWord(english.Normalize(c.Value))] {
			c.Value = ""
		}
	}
	if key == "" && c.Corrects == "" {
		return false
	}
	c.Relation, c.Subject = rel.KinRelation(english.KinKey(of.kin), key), of.name
	return true
}

// plans reports whether the passage tells of a plan.
func (l *learner) plans() bool {
	return slices.ContainsFunc(l.passage.Facts, func(f reader.Fact) bool { return f.Relation == "plan" && f.Sure >= sureOfPair })
}

// employments are the words that name no job in particular: "I quit my job".
var employments = english.Set("job work position post employment")

// shortPassage is how many words a message has at most in which a correction may leave out what it corrects.
const shortPassage = 8

func (l *learner) short() bool { return l.words() <= shortPassage }

// relatePartner returns the key of somebody's partner, who is told by a name or by a word.
func (l *learner) relatePartner(c *Claim, f *reader.Fact) string {
	if startsName(c.Value) {
		return "together_with"
	}
	kin := l.kinAt(lastWordStart(l.u.Text, *f))
	if c.Negates && kin != "" {
		c.Value = "" // "my girlfriend and I broke up"
		return rel.KinRelation(kin, "name")
	}
	c.Value = l.withArticle(f)
	return "has_person"
}

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
func (l *learner) isTime(f *reader.Fact) bool { return l.timeOf(f) != nil }

func (l *learner) timeOf(f *reader.Fact) *when.Span {
	return l.spanIn(f.Start, f.End, func(s when.Span) bool { return s.Start <= f.Start })
}

// day returns the day of a birthday. One told by its distance ("tomorrow") is a day of the year.
func (l *learner) day(f *reader.Fact) (value string, span *when.Span) {
	value, span = strings.TrimSpace(l.text(f.Start, f.End)), l.timeOf(f)
	if span != nil && !span.Vague && !strings.ContainsAny(value, "0123456789") {
		value = span.From.Format("2 January")
	}
	return value, span
}

// relateThing relates what is told of a thing: "locker code" is "4432", the favourite "colour" is "lilac".
func (l *learner) relateThing(c *Claim, f *reader.Fact, of subject) bool {
	thing := of.thing
	c.Subject = of.name
	switch {
	case f.Relation == "favourite":
		c.Relation = "favourite " + thing
	case f.Relation == "plan":
		return l.relatePlan(c, f, subject{})
	case f.Relation == "fact" && !c.Negates && !english.Function[thing] && !english.Pronouns[thing]:
		c.Relation = l.nounAt(f.SubjectStart, thing)
		if !l.definite(f.SubjectStart) {
			c.Relation = plainNoun(c.Relation)
		}
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

// definite reports whether the noun at the byte is one that was spoken of rather than the speaker's: "the number".
func (l *learner) definite(start int) bool {
	s, _ := sentenceAt(l.sentences, start)
	for i, w := range s.Words {
		if w.Start == start {
			return i > 0 && (s.Words[i-1].Low == "the" || s.Words[i-1].Low == "that" || s.Words[i-1].Low == "this")
		}
	}
	return false
}

// plainNoun returns the key of a possession that people have one of at a time, without a word like "new".
func plainNoun(key string) string {
	if first, rest, several := strings.Cut(key, " "); several && (first == "new" || first == "current" || first == "latest") {
		key = rest
	}
	if same, ok := sameNouns[key]; ok {
		return same
	}
	return key
}

// sameNouns maps words for the same thing to its key.
var sameNouns = map[string]string{
	"number": "phone number", "mobile number": "phone number", "cell number": "phone number", "telephone number": "phone number",
	"cell phone number": "phone number", "telephone": "phone number", "email address": "email", "e-mail": "email", "mail address": "email",
	"home address": "address", "postal address": "address", "automobile": "car",
}

// relateDeath relates who has died: kin, or somebody with a name. The death of one's own is also felt.
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
	c.Value, c.Changed = "died", false
	if c.Span = l.spanIn(l.passage.Start, l.passage.End, nil); kin != "" && (c.Span == nil || l.u.At.Sub(c.Span.Until) < lately) {
		l.claim(Claim{Kind: rel.Feeling, Relation: "feels", Value: "sad", Many: true, Quote: c.Quote})
	}
	return true
}

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

// Death reports whether a relation states a death.
func Death(relation string) bool {
	_, of := rel.CutKin(relation)
	return of == rel.DeathRelation
}
