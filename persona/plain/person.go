package plain

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// describe words a belief to the person.
func (co *composer) describe(b model.Belief) string {
	return rel.Describe(co.subjectOf(b), b.Relation, b.Value)
}

// facts words beliefs to the person, with the values of one relation joined: "you like jazz and rainy days".
func (co *composer) facts(beliefs []model.Belief) []string {
	var facts []string
	for len(beliefs) > 0 {
		first := beliefs[0]
		var values []string
		var others []model.Belief
		for _, b := range beliefs {
			if b.Relation == first.Relation && co.subjectOf(b) == co.subjectOf(first) {
				values = append(values, b.Value)
			} else {
				others = append(others, b)
			}
		}
		facts = append(facts, rel.Describe(co.subjectOf(first), first.Relation, words.Listed(some(values))))
		beliefs = others
	}
	return facts
}

// valuesTold bounds the values of one relation stated at once.
const valuesTold = 6

// some returns the first of many values, with a word for the rest.
func some(values []string) []string {
	if len(values) <= valuesTold {
		return values
	}
	return append(slices.Clone(values[:valuesTold]), "more")
}

// joined joins facts into one phrase without repeating a common subject: "your sister is called Eva, who lives in
// Berlin and works as a nurse".
func joined(facts []string) string {
	var phrases []string
	for i, fact := range facts {
		last := len(phrases) - 1
		name, rest, _ := strings.Cut(fact, " ")
		if kin, more, ok := ofKin(fact); ok && i > 0 && strings.HasPrefix(phrases[last], kin+" is called ") {
			if strings.Contains(phrases[last], ", who ") {
				phrases[last] += " and " + more
			} else {
				phrases[last] += ", who " + more
			}
			continue
		}
		if i == 0 || name == "you" || name == "your" || strings.HasSuffix(name, "'s") {
			phrases = append(phrases, running(facts, i))
			continue
		}
		switch {
		case strings.HasSuffix(facts[i-1], " "+name):
			phrases[last] += ", who " + rest
		case strings.HasPrefix(facts[i-1], name+" "):
			phrases[last] += " and " + rest
		default:
			phrases = append(phrases, fact)
		}
	}
	return words.Listed(phrases)
}

// ofKin splits a fact about a relative: "your sister", "works as an engineer".
func ofKin(fact string) (kin, rest string, ok bool) {
	fields := strings.SplitN(fact, " ", 3)
	if len(fields) < 3 || fields[0] != "your" {
		return "", "", false
	}
	return fields[0] + " " + fields[1], fields[2], true
}

// running returns the fact at i as it follows the one before it. "you" is not repeated if both are short facts about
// the person: "you live in Leeds and work as a nurse".
func running(facts []string, i int) string {
	rest, ok := strings.CutPrefix(facts[i], "you ")
	if !ok || i == 0 || strings.Contains(rest, " you ") {
		return facts[i]
	}
	before := facts[i-1]
	if !strings.HasPrefix(before, "you ") || strings.ContainsAny(before, ",;:") || strings.Contains(before, " and ") {
		return facts[i]
	}
	return rest
}

// subjectOf returns the subject of a belief in the form of a claim: empty for the person being answered.
func (co *composer) subjectOf(b model.Belief) string {
	switch {
	case co.ownBelief(b):
		return ""
	case b.Subject == "":
		return b.Author
	}
	return b.Subject
}

// ownBelief reports whether a belief is about the person being answered.
func (co *composer) ownBelief(b model.Belief) bool {
	if b.SubjectPerson != 0 {
		return b.SubjectPerson == co.scene.Person.ID
	}
	return b.Subject == "" && (b.AuthorID == 0 || b.AuthorID == co.scene.Person.ID)
}

// secondHand reports whether a belief rests only on hearsay that did not come from the person being answered, who knows
// their own statements.
func (co *composer) secondHand(b model.Belief) bool {
	if b.Author == "" || b.AuthorID == co.scene.Person.ID && b.AuthorID != 0 {
		return false
	}
	return mind.OnlyHearsay(b.Evidence) || co.ownBelief(b) && b.AuthorID != 0
}

// spokenElsewhere are relations not confirmed as facts: wishes, plans and feelings have their own wordings.
var spokenElsewhere = words.Of("plan promise instruction call_me feels")

// claims returns the claims of the messages, oldest first.
func (co *composer) claims() []understand.Claim {
	var all []understand.Claim
	for _, line := range co.scene.Incoming {
		all = append(all, line.Parsed.Claims...)
	}
	return all
}

// losses returns the deaths that the messages report.
func (co *composer) losses() []understand.Claim {
	return slices.DeleteFunc(co.claims(), func(c understand.Claim) bool { return !understand.Death(c.Relation) || c.Negates })
}

// mourns reports whether the messages report the death of someone of that name.
func (co *composer) mourns(name string) bool {
	return slices.ContainsFunc(co.losses(), func(c understand.Claim) bool { return strings.EqualFold(c.Subject, name) })
}

// sameName reports whether two names are equal, or one is the first name of the other.
func sameName(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return strings.EqualFold(a, b) || strings.EqualFold(firstWord(a), b) || strings.EqualFold(a, firstWord(b))
}

func firstWord(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return first
}

// rank orders false before true.
func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// loopEvent returns the event of a loop.
func (co *composer) loopEvent(l model.Loop) event {
	return eventOf(l.Text, l.Created.In(co.scene.Now.Location()))
}
