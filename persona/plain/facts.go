package plain

import (
	"cmp"
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// factTeller answers from beliefs.
type factTeller struct{ *composer }

// concerns reports whether a belief is about the subject of the question.
func (ft factTeller) concerns(b model.Belief, q understand.Question) bool {
	subject := ft.subjectOf(b)
	if q.Subject == "" || subject == "" {
		return q.Subject == subject
	}
	return sameName(subject, q.Subject)
}

// answering returns the beliefs that answer the question, for the first of its relations that any belief answers. With
// old set it returns only replaced ones.
func (ft factTeller) answering(q understand.Question, old bool) []model.Belief {
	var found []model.Belief
	for _, want := range q.Relations {
		for _, b := range ft.scene.Beliefs {
			if ft.replies(b, want, q) && (b.Status == model.Active) != old && !slices.ContainsFunc(found, func(o model.Belief) bool { return o.ID == b.ID && b.ID != 0 }) {
				found = append(found, b)
			}
		}
		if len(found) > 0 && !q.All {
			return found
		}
	}
	return found
}

// fromBeliefs answers with beliefs. It joins several values and marks uncertain and second-hand ones.
func (ft factTeller) fromBeliefs(line scene.Line, q understand.Question) string {
	if reasons(line.Text) {
		return "" // why someone likes something is not what they like
	}
	found := ft.answering(q, false)
	if len(q.Relations) == 0 && q.Subject != "" && q.Value == "" && len(quoter(ft).topicOf(q)) == 0 {
		found = ft.everythingOf(q) // "what do you know about Melanie?"
	}
	if len(found) == 0 {
		if said := ft.inMemory(q); said != "" {
			return said
		}
	}
	if len(found) == 0 && q.YesNo && q.Value != "" {
		return ft.noLonger(q)
	}
	if len(found) == 0 || slices.Contains(q.Relations, rel.Planned) && found[0].Relation == rel.Planned {
		return ""
	}
	if q.All {
		slices.SortStableFunc(found, func(a, b model.Belief) int { return cmp.Compare(rel.Rank(a.Relation), rel.Rank(b.Relation)) })
		found = found[:min(len(found), overviewFacts)]
	}
	if q.YesNo && rel.Kin(found[0].Relation) != "" && slices.Contains(q.Relations, found[0].Relation) && asksWhether(q.Relations) {
		ft.useBeliefs(found)
		return ft.put("answer.yes", "fact", joined(ft.facts(found))) // "do I have a dog?" "Yes, your dog is called Rex."
	}
	if q.Value != "" && (q.YesNo || rel.Many(found[0].Relation)) {
		if said := ft.yesOrNo(q, found); said != "" {
			return said
		}
	}
	sure, unsure, hearsay := ft.weighed(found)
	switch {
	case len(sure) > 0:
		ft.useBeliefs(sure)
		return ft.surely(sure)
	case len(hearsay) > 0:
		ft.useBeliefs(hearsay[:1])
		b := hearsay[0]
		return ft.put("answer.hearsay", "who", b.Author, "fact", ft.describe(b))
	}
	ft.useBeliefs(unsure[:1])
	return ft.put("answer.unsure", "fact", ft.describe(unsure[0]))
}

// reasons reports whether a text asks why.
func reasons(text string) bool {
	said := words.Tokens(text)
	return slices.Contains(said[:min(len(said), 3)], "why")
}

// everythingOf returns some of the beliefs about the subject of the question.
func (ft factTeller) everythingOf(q understand.Question) []model.Belief {
	var all []model.Belief
	for _, b := range ft.scene.Beliefs {
		if b.Status == model.Active && rel.Kin(b.Relation) != "" && ft.ownBelief(b) && strings.EqualFold(b.Value, q.Subject) {
			all = append(all, b)
		}
	}
	for _, b := range ft.scene.Beliefs {
		if b.Status == model.Active && ft.concerns(b, q) && len(all) <= overviewFactsBrief && !spokenElsewhere.Has(b.Relation) {
			all = append(all, b)
		}
	}
	return all
}

// weighed sorts beliefs into certain ones, doubtful ones, and hearsay about the person being answered.
func (ft factTeller) weighed(beliefs []model.Belief) (sure, unsure, hearsay []model.Belief) {
	for _, b := range beliefs {
		switch {
		case mind.Uncertain(mind.Confidence(b.Evidence, ft.scene.Now)):
			unsure = append(unsure, b)
		case ft.secondHand(b):
			hearsay = append(hearsay, b)
		default:
			sure = append(sure, b)
		}
	}
	return sure, unsure, hearsay
}

// surely states beliefs, only a few to people who like short answers. It never states one of several, which would hide
// the others.
func (ft factTeller) surely(beliefs []model.Belief) string {
	facts := ft.facts(beliefs)
	if ft.brief() {
		facts = facts[:min(len(facts), overviewFactsBrief)]
	}
	return ft.onWord(beliefs[0], facts)
}

// stated states beliefs with the author of the first.
func (ft factTeller) stated(beliefs []model.Belief) string {
	return ft.onWord(beliefs[0], ft.facts(beliefs))
}

// onWord states facts with their author, unless that is the person being answered.
func (ft factTeller) onWord(by model.Belief, facts []string) string {
	if by.AuthorID != 0 && by.AuthorID != ft.scene.Person.ID && by.Author != "" {
		return ft.put("answer.from", "fact", joined(facts), "who", by.Author)
	}
	return ft.put("answer.fact", "fact", joined(facts))
}

// yesOrNo answers whether a value holds.
func (ft factTeller) yesOrNo(q understand.Question, found []model.Belief) string {
	for _, b := range ft.scene.Beliefs {
		if b.Status != model.Active || !ft.concerns(b, q) || !words.Holds(b.Value, q.Value) {
			continue
		}
		ft.useBeliefs([]model.Belief{b})
		if rel.Answers(b.Relation, found[0].Relation) {
			return ft.put("answer.yes", "fact", ft.describe(b))
		}
		if b.Relation == "dislikes" || b.Relation == "likes" {
			return ft.put("answer.no", "fact", ft.describe(b))
		}
	}
	if !q.YesNo {
		return ""
	}
	if said := ft.noLonger(q); said != "" {
		return said
	}
	ft.useBeliefs(found)
	key := "answer.no"
	if rel.Many(found[0].Relation) {
		key = "answer.notthat" // others may hold as well
	}
	return ft.put(key, "fact", words.Listed(ft.facts(found)))
}

// noLonger answers whether something holds that was taken back or has changed.
func (ft factTeller) noLonger(q understand.Question) string {
	for _, b := range ft.answering(q, true) {
		if words.Holds(b.Value, q.Value) && b.ReplacedWhy != "corrected" && !scene.Believed(ft.scene.Beliefs, b) {
			return ft.put("answer.nolonger")
		}
	}
	return ""
}

// fromHistory answers what held before: what has changed, else what was retracted.
func (ft factTeller) fromHistory(heard scene.Line, q understand.Question) string {
	if !q.Before {
		return ""
	}
	past := ft.answering(q, true)
	if len(past) == 0 {
		return ft.onlyNow(heard, q)
	}
	slices.SortStableFunc(past, func(a, b model.Belief) int {
		if a.ReplacedWhy != b.ReplacedWhy {
			return cmp.Compare(rank(b.ReplacedWhy == "changed"), rank(a.ReplacedWhy == "changed"))
		}
		return b.Updated.Compare(a.Updated)
	})
	old := past[0]
	now := ""
	if current := ft.answering(q, false); len(current) > 0 {
		now = ft.describe(current[0])
		ft.useBeliefs(current[:1])
	}
	key := "history.changed"
	if old.ReplacedWhy == "corrected" {
		key = "history.corrected"
	}
	if now == "" {
		key = "history.only"
	}
	return ft.put(key, "old", old.Value, "fact", now)
}

// onlyNow answers what held before if only the current value is known: with a quote, else by saying so. It never
// presents the current value as the former one.
func (ft factTeller) onlyNow(heard scene.Line, q understand.Question) string {
	current := ft.answering(q, false)
	if len(current) == 0 {
		return ""
	}
	for _, f := range quoter(ft).quotesFor(heard, q) {
		if f.asker && f.coverage >= hedgeBelow && !words.Holds(f.line.Text, current[0].Value) {
			ft.useLine(f)
			return quoter(ft).quote(f, true)
		}
	}
	ft.useBeliefs(current[:1])
	return ft.put("history.none", "fact", ft.describe(current[0]))
}

// fromValue answers who or what a name refers to: "who is Rex?".
func (ft factTeller) fromValue(_ scene.Line, q understand.Question) string {
	if !q.Who && len(q.Relations) > 0 {
		return ""
	}
	names := []string{q.Value}
	if q.Subject != "you" {
		names = append(names, q.Subject)
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		var found []model.Belief
		for _, b := range ft.scene.Beliefs {
			if b.Status == model.Active && strings.EqualFold(b.Value, name) {
				found = append([]model.Belief{b}, found...)
			}
		}
		if len(found) > 0 || q.Who {
			found = append(found, ft.toldOf(name)...)
		}
		if len(found) > 0 {
			ft.useBeliefs(found)
			return ft.stated(found)
		}
	}
	return ""
}
