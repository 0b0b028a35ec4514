package plain

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// describe words a belief to the person. Beliefs are described in English only; in other languages it is the value.
func (co *composer) describe(b model.Belief) string { return co.facts([]model.Belief{b})[0] }

// facts words beliefs to the person, with the values of one relation joined: "you like jazz and rainy days".
func (co *composer) facts(beliefs []model.Belief) (facts []string) {
	for len(beliefs) > 0 {
		subject, relation := co.scene.SubjectOf(beliefs[0]), beliefs[0].Relation
		var values []string
		beliefs = slices.DeleteFunc(slices.Clone(beliefs), func(b model.Belief) bool {
			same := b.Relation == relation && co.scene.SubjectOf(b) == subject
			if same && len(values) < overviewFacts {
				values = append(values, b.Value)
			}
			return same
		})
		said := co.listed(values)
		if co.tongue.english() {
			said = rel.Describe(subject, relation, said)
		}
		facts = append(facts, said)
	}
	return facts
}

// joined joins facts into one phrase. "you" is not repeated: "you live in Leeds and work as a nurse".
func (co *composer) joined(facts []string) string {
	phrases := slices.Clone(facts)
	for i := 1; i < len(phrases); i++ {
		rest, again := strings.CutPrefix(facts[i], "you ")
		if again && strings.HasPrefix(facts[i-1], "you ") && !strings.ContainsAny(facts[i-1], ",;:") && !strings.Contains(facts[i-1], " and ") && !strings.Contains(rest, " you ") {
			phrases[i] = rest
		}
	}
	return co.listed(phrases)
}

// fromBeliefs answers with beliefs. Why something is so no belief tells.
func (an answerer) fromBeliefs() string {
	if said := words.Tokens(an.line.Text); slices.Contains(said[:min(len(said), 3)], "why") {
		return ""
	}
	return first(an.fromHistory, an.age, an.formOfAddress, an.known, an.ownName, an.named)
}

// known answers what is believed, and otherwise what was. It joins several values and marks uncertain and second-hand ones.
func (an answerer) known() string {
	found := an.scene.Answering(an.q, false)
	if len(found) == 0 && an.q.All && an.q.Subject != "" {
		found = an.scene.ToldOf(an.q.Subject, overviewFacts)
	}
	if len(found) > 0 && words.Holds(an.q.Value, rel.Kin(found[0].Relation)) {
		an.q.Value = "" // "do I have a sister?" names no value
	}
	switch {
	case len(found) == 0:
		return an.former()
	case found[0].Relation == rel.Planned:
		return ""
	case an.q.Value != "" && (an.q.YesNo || rel.Many(found[0].Relation)):
		if said := an.yesOrNo(found); said != "" {
			return said
		}
	}
	if an.q.All {
		slices.SortStableFunc(found, func(a, b model.Belief) int { return rel.Rank(a.Relation) - rel.Rank(b.Relation) })
		found = found[:min(len(found), overviewFacts)]
	}
	certain := slices.DeleteFunc(slices.Clone(found), func(b model.Belief) bool { return an.scene.Doubtful(b) || an.scene.SecondHand(b) })
	if len(certain) > 0 {
		return an.stated(certain)
	}
	an.useBeliefs(found[0])
	if an.scene.SecondHand(found[0]) && !an.scene.Doubtful(found[0]) {
		return an.put("answer.hearsay", "who", found[0].Author, "fact", an.describe(found[0]))
	}
	return an.put("answer.unsure", "fact", an.describe(found[0]))
}

// stated states beliefs with their author, unless that is the person being answered.
func (an answerer) stated(beliefs []model.Belief) string {
	an.useBeliefs(beliefs...)
	facts := an.facts(beliefs)
	if an.brief() {
		facts = facts[:min(len(facts), overviewFactsBrief)]
	}
	key, by := "answer.fact", beliefs[0]
	switch {
	case an.q.YesNo && an.q.Value == "":
		key = "answer.yes" // "do I have a dog?" "Yes, your dog is called Rex."
	case by.AuthorID != 0 && by.AuthorID != an.scene.Person.ID && by.Author != "":
		key = "answer.from"
	}
	return an.put(key, "fact", an.joined(facts), "who", by.Author)
}

// yesOrNo answers whether a value holds, "" if that is not known.
func (an answerer) yesOrNo(found []model.Belief) string {
	for _, b := range an.scene.Beliefs {
		if b.Status != model.Active || !scene.SameName(an.scene.SubjectOf(b), an.q.Subject) && an.scene.SubjectOf(b) != an.q.Subject || !words.Holds(b.Value, an.q.Value) {
			continue
		}
		key := ""
		if rel.Answers(b.Relation, found[0].Relation) {
			key = "answer.yes"
		} else if b.Relation == "dislikes" || b.Relation == "likes" {
			key = "answer.no"
		}
		if key != "" {
			an.useBeliefs(b)
			return an.put(key, "fact", an.describe(b))
		}
	}
	if !an.q.YesNo {
		return ""
	}
	if said := an.former(); said != "" {
		return said
	}
	an.useBeliefs(found...)
	key := map[bool]string{true: "answer.notthat", false: "answer.no"}[rel.Many(found[0].Relation)] // others may hold as well
	return an.put(key, "fact", an.listed(an.facts(found)))
}

// formOfAddress answers what the person wants to be called: by what they are called, whatever others call them.
func (an answerer) formOfAddress() string {
	if len(an.q.Relations) == 0 || an.q.Relations[0] != rel.CallMe {
		return ""
	}
	for _, b := range an.scene.Answering(an.q, false) {
		if an.q.Subject == "" && !an.q.YesNo && scene.SameName(b.Value, an.scene.Address) {
			return an.stated([]model.Belief{b})
		}
	}
	return ""
}

// ownName answers what the person is called if they never said: by their name on the network.
func (an answerer) ownName() string {
	if an.q.Subject != "" || an.scene.Address == "" || len(an.q.Relations) == 0 || an.q.Relations[0] != "name" && an.q.Relations[0] != rel.CallMe {
		return ""
	}
	an.composer.named = true
	return an.put("answer.name", "value", an.scene.Address)
}

// asksWho are the words that ask for a person.
var asksWho = words.Content("who who's whos whose whom")

// named answers who or what a name refers to: "who is Rex?". Nothing else about it may be asked: not "what does Rex eat?".
func (an answerer) named() string {
	if !an.q.Who && len(an.q.Relations) > 0 || an.q.Subject == "you" {
		return ""
	}
	for _, name := range []string{an.q.Value, an.q.Subject} {
		of := words.Content(name)
		more := func(w string) bool { return !of.Has(w) && !scene.OfMemory.Has(w) && !asksWho.Has(w) }
		if !an.q.All && slices.ContainsFunc(slices.Collect(maps.Keys(words.Content(words.PlainApostrophe(an.q.About)))), more) {
			continue
		}
		if found := an.scene.ToldOf(name, overviewFacts); len(found) > 0 {
			return an.stated(found)
		}
	}
	return ""
}

// fromHistory answers what held before: what has changed, else what was retracted. It never presents the current value as
// the former one.
func (an answerer) fromHistory() string {
	past, current := an.scene.Answering(an.q, true), an.scene.Answering(an.q, false)
	if !an.q.Before || len(past)+len(current) == 0 {
		return ""
	}
	i := max(0, slices.IndexFunc(past, func(b model.Belief) bool { return b.ReplacedWhy == "changed" }))
	if len(current) == 0 {
		return an.put("history.only", "old", past[i].Value)
	}
	now := an.describe(current[0])
	an.useBeliefs(current[0])
	switch {
	case len(past) == 0:
		return an.put("history.none", "fact", now)
	case past[i].ReplacedWhy == "changed":
		return an.put("history.changed", "old", past[i].Value, "fact", now)
	}
	return an.put("history.corrected", "old", past[i].Value, "fact", now)
}

// former answers with what was taken back or is no more: whether it still holds, and of a relative or pet who has died, who
// they were and when the person told of the death.
func (an answerer) former() string {
	past := an.scene.Answering(an.q, true)
	if an.q.YesNo && slices.ContainsFunc(past, func(b model.Belief) bool {
		return an.q.Value != "" && words.Holds(b.Value, an.q.Value) && b.ReplacedWhy != "corrected"
	}) {
		return an.put("answer.nolonger")
	}
	for _, b := range an.scene.Beliefs {
		if b.Status != model.Active && an.q.Who && an.scene.NamesKin(b, an.q.Value) {
			past = append(past, b) // "who is Rex?"
		}
	}
	for _, b := range past {
		kin := rel.Kin(b.Relation)
		for _, death := range an.scene.Beliefs {
			of, _ := rel.Of(death.Relation)
			died := of == "" && strings.EqualFold(death.Subject, b.Value) || of != "" && of == kin
			if kin != "" && died && death.Status == model.Active && understand.Death(death.Relation) {
				an.useBeliefs(b, death)
				return an.put("answer.gone", "value", b.Value, "kin", kin, "day", an.day(death.Created), "fact", an.describe(death))
			}
		}
	}
	return ""
}

// age answers how old someone is now.
func (an answerer) age() string {
	from, youngest, oldest, kin := an.scene.AgeAsked(an.q)
	if oldest == 0 {
		return ""
	}
	an.useBeliefs(from)
	if youngest == oldest {
		from.Relation, from.Value = rel.KinRelation(kin, "age"), strconv.Itoa(youngest)
		return an.put("answer.fact", "fact", an.describe(from))
	}
	ages := fmt.Sprintf("%d %s %d", youngest, an.tongue.wordings["or"][0], oldest)
	return an.put("answer.age", "day", an.day(from.Updated), "fact", an.describe(from), "ages", ages)
}
