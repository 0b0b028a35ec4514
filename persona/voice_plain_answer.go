package persona

import (
	"cmp"
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
)

// answer answers one question from the nearest source that knows: the persona's card for questions about itself, what
// is believed, what is planned, what was said. What nobody told it says so.
func (sp *speaking) answer(line Line, q understand.Question) string {
	q = sp.placed(line, q)
	for _, try := range []func(Line, understand.Question) string{
		sp.aboutMemory, sp.aboutWishes, sp.aboutFood, sp.aboutPlan, sp.aboutSelf, sp.aboutDay, sp.aboutAge, sp.fromHistory, sp.fromBeliefs, sp.ownName, sp.fromNearby, sp.whenWas, sp.fromValue, sp.fromTalk,
	} {
		if said := try(line, q); said != "" {
			return said
		}
	}
	return sp.unknown(line, q)
}

// placed settles whom a question is about: somebody who names themselves asks about themselves.
func (sp *speaking) placed(line Line, q understand.Question) understand.Question {
	if q.Subject != "" && (sameName(q.Subject, sp.scene.Person.Name) || sameName(q.Subject, sp.scene.Address)) {
		q.Subject = ""
	}
	if q.About == "" {
		q.About = line.Text
	}
	if asksPlans(line, q) {
		q.Relations = []string{rel.Planned}
	}
	if name := sp.kinNamed(q); name != "" {
		q.Subject = name
	}
	if q.Subject == "" && !asksOfSelf(line, q) {
		q.Subject = sp.speakerNamed(line.Text)
	}
	if q.Subject == "" && slices.Contains(line.Reading.Entities, q.About) && !sameName(q.About, sp.scene.Person.Name) && !asksOfSelf(line, q) {
		q.Subject = q.About // "tell me something about Caroline"
	}
	return q
}

// speakerNamed is whoever said something recalled and is named in a text, in capitals or not: "when did caroline go?"
func (sp *speaking) speakerNamed(text string) string {
	said := tokens(text)
	for _, p := range sp.stretches() {
		for _, l := range p.lines {
			first := strings.ToLower(firstWord(l.Author))
			if l.PersonID != 0 && l.PersonID != sp.scene.Person.ID && len(first) > 2 && (slices.Contains(said, first) || slices.Contains(said, first+"'s")) {
				return l.Author
			}
		}
	}
	return ""
}

// sameName says that two names are the same, or that one is the first name of the other.
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

// concerns says that a belief is about whom the question asks about.
func (sp *speaking) concerns(b memory.Belief, q understand.Question) bool {
	subject := sp.subjectOf(b)
	if q.Subject == "" || subject == "" {
		return q.Subject == subject
	}
	return sameName(subject, q.Subject)
}

// answering are the beliefs that answer the question, of the first of its relations that any belief answers. Replaced
// ones are only there when old is set, and then alone.
func (sp *speaking) answering(q understand.Question, old bool) []memory.Belief {
	var found []memory.Belief
	for _, want := range q.Relations {
		for _, b := range sp.scene.Beliefs {
			if sp.replies(b, want, q) && (b.Status == memory.Active) != old && !slices.ContainsFunc(found, func(o memory.Belief) bool { return o.ID == b.ID && b.ID != 0 }) {
				found = append(found, b)
			}
		}
		if len(found) > 0 && !q.All {
			return found
		}
	}
	return found
}

// fromBeliefs answers with what is believed, several values joined, the uncertain and the second-hand as such.
func (sp *speaking) fromBeliefs(line Line, q understand.Question) string {
	if reasons(line.Text) {
		return "" // why somebody likes something is not what they like
	}
	found := sp.answering(q, false)
	if len(q.Relations) == 0 && q.Subject != "" && q.Value == "" && len(sp.topicOf(q)) == 0 {
		found = sp.everythingOf(q) // "what do you know about Melanie?"
	}
	if len(found) == 0 {
		if said := sp.inMemory(q); said != "" {
			return said
		}
	}
	if len(found) == 0 && q.YesNo && q.Value != "" {
		return sp.noLonger(q)
	}
	if len(found) == 0 || slices.Contains(q.Relations, rel.Planned) && found[0].Relation == rel.Planned {
		return ""
	}
	if q.All {
		slices.SortStableFunc(found, func(a, b memory.Belief) int { return cmp.Compare(rel.Rank(a.Relation), rel.Rank(b.Relation)) })
		found = found[:min(len(found), overviewFacts)]
	}
	if q.YesNo && rel.Kin(found[0].Relation) != "" && slices.Contains(q.Relations, found[0].Relation) && asksWhether(q.Relations) {
		sp.useBeliefs(found)
		return sp.put("answer.yes", "fact", joined(sp.facts(found))) // "do I have a dog?" "Yes, your dog is called Rex."
	}
	if q.Value != "" && (q.YesNo || rel.Many(found[0].Relation)) {
		if said := sp.yesOrNo(q, found); said != "" {
			return said
		}
	}
	sure, unsure, hearsay := sp.weighed(found)
	switch {
	case len(sure) > 0:
		sp.useBeliefs(sure)
		return sp.surely(sure)
	case len(hearsay) > 0:
		sp.useBeliefs(hearsay[:1])
		b := hearsay[0]
		return sp.put("answer.hearsay", "who", b.Author, "fact", sp.describe(b))
	}
	sp.useBeliefs(unsure[:1])
	return sp.put("answer.unsure", "fact", sp.describe(unsure[0]))
}

// reasons says that a text asks why.
func reasons(text string) bool {
	said := tokens(text)
	return slices.Contains(said[:min(len(said), 3)], "why")
}

// asksWhether says that it is asked whether there is anybody, not what they are called.
func asksWhether(relations []string) bool {
	return slices.Contains(relations, "has_pet") || slices.Contains(relations, "has_person")
}

// everythingOf are some of the beliefs about whom the question asks about.
func (sp *speaking) everythingOf(q understand.Question) []memory.Belief {
	var all []memory.Belief
	for _, b := range sp.scene.Beliefs {
		if b.Status == memory.Active && rel.Kin(b.Relation) != "" && sp.ownBelief(b) && strings.EqualFold(b.Value, q.Subject) {
			all = append(all, b)
		}
	}
	for _, b := range sp.scene.Beliefs {
		if b.Status == memory.Active && sp.concerns(b, q) && len(all) <= overviewFactsBrief && !spokenElsewhere.has(b.Relation) {
			all = append(all, b)
		}
	}
	return all
}

// weighed sorts beliefs into those that can be stated, the doubtful ones, and what only others have told about the
// person spoken to.
func (sp *speaking) weighed(beliefs []memory.Belief) (sure, unsure, hearsay []memory.Belief) {
	for _, b := range beliefs {
		switch {
		case mind.Uncertain(mind.Confidence(b.Evidence, sp.scene.Now)):
			unsure = append(unsure, b)
		case sp.secondHand(b):
			hearsay = append(hearsay, b)
		default:
			sure = append(sure, b)
		}
	}
	return sure, unsure, hearsay
}

// secondHand says that a belief rests only on what people said about somebody else, and did not come from the person
// spoken to, who needs no telling where it is from.
func (sp *speaking) secondHand(b memory.Belief) bool {
	if b.Author == "" || b.AuthorID == sp.scene.Person.ID && b.AuthorID != 0 {
		return false
	}
	return mind.OnlyHearsay(b.Evidence) || sp.ownBelief(b) && b.AuthorID != 0
}

// surely states beliefs, a few to people who like it short: with one alone, the other pets would seem unknown.
func (sp *speaking) surely(beliefs []memory.Belief) string {
	facts := sp.facts(beliefs)
	if sp.brief() {
		facts = facts[:min(len(facts), overviewFactsBrief)]
	}
	return sp.onWord(beliefs[0], facts)
}

// stated states beliefs, on the word of whoever told the first.
func (sp *speaking) stated(beliefs []memory.Belief) string {
	return sp.onWord(beliefs[0], sp.facts(beliefs))
}

// onWord states facts, on whose word unless it is that of the person spoken to.
func (sp *speaking) onWord(by memory.Belief, facts []string) string {
	if by.AuthorID != 0 && by.AuthorID != sp.scene.Person.ID && by.Author != "" {
		return sp.put("answer.from", "fact", joined(facts), "who", by.Author)
	}
	return sp.put("answer.fact", "fact", joined(facts))
}

// yesOrNo answers whether a value holds.
func (sp *speaking) yesOrNo(q understand.Question, found []memory.Belief) string {
	for _, b := range sp.scene.Beliefs {
		if b.Status != memory.Active || !sp.concerns(b, q) || !holds(b.Value, q.Value) {
			continue
		}
		sp.useBeliefs([]memory.Belief{b})
		if rel.Answers(b.Relation, found[0].Relation) {
			return sp.put("answer.yes", "fact", sp.describe(b))
		}
		if b.Relation == "dislikes" || b.Relation == "likes" {
			return sp.put("answer.no", "fact", sp.describe(b))
		}
	}
	if !q.YesNo {
		return ""
	}
	if said := sp.noLonger(q); said != "" {
		return said
	}
	sp.useBeliefs(found)
	key := "answer.no"
	if rel.Many(found[0].Relation) {
		key = "answer.notthat" // others may hold beside what was told
	}
	return sp.put(key, "fact", listed(sp.facts(found)))
}

// noLonger answers whether something holds that held once and was taken back or has changed.
func (sp *speaking) noLonger(q understand.Question) string {
	for _, b := range sp.answering(q, true) {
		if holds(b.Value, q.Value) && b.ReplacedWhy != "corrected" && !believed(sp.scene.Beliefs, b) {
			return sp.put("answer.nolonger")
		}
	}
	return ""
}

// useBeliefs notes the memories that beliefs rest on, where recall brought them.
func (sp *speaking) useBeliefs(beliefs []memory.Belief) {
	for _, b := range beliefs {
		if b.ID > 0 && !slices.Contains(sp.believed, b.ID) {
			sp.believed = append(sp.believed, b.ID)
		}
		for _, item := range sp.scene.Recall.Items {
			if item.BeliefID != 0 && item.BeliefID == b.ID || slices.ContainsFunc(item.Lines, func(l memory.SnippetLine) bool {
				return l.Hit && slices.ContainsFunc(b.Evidence, func(e memory.Evidence) bool {
					return e.MessageID != 0 && e.MessageID == l.MessageID
				})
			}) {
				sp.use(item.MemoryID)
			}
		}
	}
}

// fromHistory answers what held before: what has changed, else what was taken back as wrong.
func (sp *speaking) fromHistory(heard Line, q understand.Question) string {
	if !q.Before {
		return ""
	}
	past := sp.answering(q, true)
	if len(past) == 0 {
		return sp.onlyNow(heard, q)
	}
	slices.SortStableFunc(past, func(a, b memory.Belief) int {
		if a.ReplacedWhy != b.ReplacedWhy {
			return cmp.Compare(rank(b.ReplacedWhy == "changed"), rank(a.ReplacedWhy == "changed"))
		}
		return b.Updated.Compare(a.Updated)
	})
	old := past[0]
	now := ""
	if current := sp.answering(q, false); len(current) > 0 {
		now = sp.describe(current[0])
		sp.useBeliefs(current[:1])
	}
	key := "history.changed"
	if old.ReplacedWhy == "corrected" {
		key = "history.corrected"
	}
	if now == "" {
		key = "history.only"
	}
	return sp.put(key, "old", old.Value, "fact", now)
}

// onlyNow answers what held before when only what holds now is known: by what was said of it, else honestly. What holds
// now is never given for what held before.
func (sp *speaking) onlyNow(heard Line, q understand.Question) string {
	current := sp.answering(q, false)
	if len(current) == 0 {
		return ""
	}
	for _, f := range sp.quotesFor(heard, q) {
		if f.asker && f.coverage >= hedgeBelow && !holds(f.line.Text, current[0].Value) {
			sp.useLine(f)
			return sp.quote(f, true)
		}
	}
	sp.useBeliefs(current[:1])
	return sp.put("history.none", "fact", sp.describe(current[0]))
}

// rank orders false before true.
func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fromValue answers who or what something is that is known by name: "who is Rex?".
func (sp *speaking) fromValue(_ Line, q understand.Question) string {
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
		var found []memory.Belief
		for _, b := range sp.scene.Beliefs {
			if b.Status == memory.Active && strings.EqualFold(b.Value, name) {
				found = append([]memory.Belief{b}, found...)
			}
		}
		if len(found) > 0 || q.Who {
			found = append(found, sp.toldOf(name)...)
		}
		if len(found) > 0 {
			sp.useBeliefs(found)
			return sp.stated(found)
		}
	}
	return ""
}

// unknown says that nobody told the persona, and asks when the person asked about themselves. In a group it says no
// more than that: what was told elsewhere is not denied.
func (sp *speaking) unknown(line Line, q understand.Question) string {
	if said := sp.beyond(line, q); said != "" {
		return said
	}
	if !sp.scene.Direct {
		return sp.put("unknown.here")
	}
	if q.Subject != "" && q.Subject != "you" {
		return sp.put("unknown.other", "subject", turned(q.Subject))
	}
	if q.YesNo && asksWhether(q.Relations) {
		return sp.put("unknown.whether")
	}
	if len(q.Relations) > 0 && q.Subject == "" && !strings.HasPrefix(q.Relations[0], rel.Planned) {
		if topic := rel.Topic(q.Relations[0]); topic != "" {
			if topic == "your "+q.Relations[0] {
				return sp.put("unknown.thing", "topic", topic)
			}
			return sp.put("unknown.topic", "topic", topic)
		}
	}
	return sp.put("unknown")
}
