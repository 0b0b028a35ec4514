package persona

import (
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
)

// acknowledge says what was learned from the heard messages, concretely: corrections first, then what is new, wishes,
// plans, how things that were open went, and feelings.
func (sp *speaking) acknowledge() []string {
	var parts []string
	for _, say := range []func() []string{sp.forgetting, sp.mourned, sp.congratulated, sp.replaced, sp.learned, sp.obeyed, sp.planned, sp.concluded, sp.felt} {
		parts = append(parts, say()...)
	}
	return parts
}

// claims are what the heard messages claim, oldest first.
func (sp *speaking) claims() []understand.Claim {
	var all []understand.Claim
	for _, line := range sp.scene.Heard {
		all = append(all, line.Reading.Claims...)
	}
	return all
}

// changes are what the person's own words did to the beliefs, of the kinds given.
func (sp *speaking) changes(kinds ...string) []memory.Change {
	var found []memory.Change
	for _, c := range sp.scene.Changes {
		own := c.Belief.AuthorID == 0 || c.Belief.AuthorID == sp.scene.Person.ID
		if own && slices.Contains(kinds, c.Kind) {
			found = append(found, c)
		}
	}
	return found
}

// describe says a belief to the person.
func (sp *speaking) describe(b memory.Belief) string {
	return rel.Describe(sp.subjectOf(b), b.Relation, b.Value)
}

// facts says beliefs to the person, the values of one relation joined: "you like jazz and rainy days".
func (sp *speaking) facts(beliefs []memory.Belief) []string {
	var facts []string
	for len(beliefs) > 0 {
		first := beliefs[0]
		var values []string
		var others []memory.Belief
		for _, b := range beliefs {
			if b.Relation == first.Relation && sp.subjectOf(b) == sp.subjectOf(first) {
				values = append(values, b.Value)
			} else {
				others = append(others, b)
			}
		}
		facts = append(facts, rel.Describe(sp.subjectOf(first), first.Relation, listed(some(values))))
		beliefs = others
	}
	return facts
}

// valuesTold bounds the values of one relation told at once.
const valuesTold = 6

// some are the first values of many, with a word for the rest.
func some(values []string) []string {
	if len(values) <= valuesTold {
		return values
	}
	return append(slices.Clone(values[:valuesTold]), "more")
}

// joined joins facts into one phrase; what follows about the same one is not named again: "your sister is called Eva, who
// lives in Berlin and works as a nurse".
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
	return listed(phrases)
}

// ofKin parts a fact about one of the person's own: "your sister", "works as an engineer".
func ofKin(fact string) (kin, rest string, ok bool) {
	fields := strings.SplitN(fact, " ", 3)
	if len(fields) < 3 || fields[0] != "your" {
		return "", "", false
	}
	return fields[0] + " " + fields[1], fields[2], true
}

// running is the fact at i as it stands after the one before it: "you" is not said again where both are short and speak
// of the person, "you live in Leeds and work as a nurse".
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

// subjectOf is whom or what a belief is about as claim says it: empty for the person spoken to.
func (sp *speaking) subjectOf(b memory.Belief) string {
	switch {
	case sp.ownBelief(b):
		return ""
	case b.Subject == "":
		return b.Author
	}
	return b.Subject
}

// ownBelief says that a belief is about the person spoken to.
func (sp *speaking) ownBelief(b memory.Belief) bool {
	if b.SubjectPerson != 0 {
		return b.SubjectPerson == sp.scene.Person.ID
	}
	return b.Subject == "" && (b.AuthorID == 0 || b.AuthorID == sp.scene.Person.ID)
}

// replaced names what was corrected, has changed or was taken back.
func (sp *speaking) replaced() []string {
	var parts []string
	changes := sp.changes("corrected", "changed")
	for i, c := range changes {
		key := "ack." + c.Kind
		replacedAgain := slices.ContainsFunc(changes[i+1:], func(later memory.Change) bool {
			return later.Old == c.Belief.Value && later.Belief.Relation == c.Belief.Relation && sp.subjectOf(later.Belief) == sp.subjectOf(c.Belief)
		})
		switch {
		case replacedAgain:
			continue
		case c.Belief.Relation == rel.CallMe || c.Belief.Relation == rel.Wish || c.Belief.Relation == rel.Planned:
			continue // said as the wish or plan it is
		case sp.isOwnName(c.Belief) && sp.givesNewName():
			continue // "my name is Patrick, everybody calls me Paddy": met by the last of them
		case c.Old == "":
			key = "ack.new"
		}
		parts = append(parts, sp.put(key, "value", c.Belief.Value, "old", c.Old, "fact", sp.describe(c.Belief)))
	}
	for _, c := range sp.changes("past") {
		parts = append(parts, sp.put("ack.past", "value", rel.Display(c.Belief.Relation, c.Belief.Value)))
	}
	for _, c := range sp.changes("retracted") {
		if c.Belief.Relation == rel.Planned || c.Belief.Relation == rel.CallMe {
			continue // said as the plan or the wish it was
		}
		if said := sp.put("ack.retracted", "fact", sp.describe(c.Belief)); !slices.Contains(parts, said) {
			parts = append(parts, said)
		}
	}
	return parts
}

// spokenElsewhere are relations that are not confirmed as facts: wishes, plans and feelings have words of their own.
var spokenElsewhere = words("plan promise instruction call_me feels")

// learned confirms new facts in one sentence, and facts that were known already.
func (sp *speaking) learned() []string {
	var fresh, known []memory.Belief
	var parts []string
	for _, c := range sp.changes("new") {
		switch {
		case spokenElsewhere.has(c.Belief.Relation) || understand.Death(c.Belief.Relation) || sp.mourns(c.Belief.Value):
		case sp.isOwnName(c.Belief):
			name := rel.Display("name", sp.lastName(c.Belief.Value))
			key := sp.meetKey()
			if sp.named && name == sp.scene.Address {
				key = "ack.name.met" // the greeting called them so already
			}
			sp.named = true
			parts = append(parts, sp.put(key, "value", name))
		default:
			fresh = append(fresh, c.Belief)
		}
	}
	for _, c := range sp.changes("confirmed") {
		if !spokenElsewhere.has(c.Belief.Relation) {
			known = append(known, c.Belief)
		}
	}
	if len(fresh) > 0 {
		parts = append(parts, sp.put("ack.new", "fact", joined(sp.facts(fresh))))
		if ask := sp.followUp(fresh[len(fresh)-1]); ask != "" {
			parts = append(parts, ask)
		}
	}
	if len(known) > 0 {
		parts = append(parts, sp.put("ack.known", "fact", joined(sp.facts(known))))
	}
	return parts
}

// isOwnName says that a belief is the name of the person spoken to.
func (sp *speaking) isOwnName(b memory.Belief) bool { return b.Relation == "name" && sp.ownBelief(b) }

// givesNewName says that this turn told a name where none was known.
func (sp *speaking) givesNewName() bool {
	return slices.ContainsFunc(sp.changes("new"), func(c memory.Change) bool { return sp.isOwnName(c.Belief) })
}

// lastName is the name that this turn ended with, of several told at once.
func (sp *speaking) lastName(name string) string {
	for _, c := range sp.changes("corrected", "changed") {
		if sp.isOwnName(c.Belief) {
			name = c.Belief.Value
		}
	}
	return name
}

// meetKey is how a name that was just given is taken.
func (sp *speaking) meetKey() string {
	if sp.scene.Stage == mind.Stranger || sp.scene.Greeting != nil && sp.scene.Greeting.First {
		return "ack.name.first"
	}
	return "ack.name"
}

// followUp asks on about something new, now and then, of people who like to talk.
func (sp *speaking) followUp(b memory.Belief) string {
	kind, _, _ := strings.Cut(b.Relation, ":")
	key := "ask." + kind
	if len(wordings[key]) == 0 || sp.asked || sp.brief() || !sp.ownBelief(b) || !sp.scene.Direct || !sp.sometimes("follow up", 2) {
		return ""
	}
	for _, line := range sp.scene.Heard {
		if line.Reading.Question != nil {
			return "" // answering comes first
		}
	}
	sp.asked = true
	return sp.put(key, "value", rel.Display(b.Relation, b.Value))
}

// obeyed confirms forms of address and standing wishes.
func (sp *speaking) obeyed() []string {
	var parts []string
	for _, c := range sp.claims() {
		if c.Kind != rel.Instruction {
			continue
		}
		switch {
		case c.Negates && c.Relation == rel.CallMe:
			parts = append(parts, sp.put("obey.notcall", "value", c.Value))
		case c.Relation == rel.CallMe:
			sp.named = true
			parts = append(parts, sp.put("obey.call", "value", rel.Display(c.Relation, c.Value)))
		default:
			parts = append(parts, sp.put("obey.wish", "promise", undertaking(c.Value)))
		}
	}
	return parts
}

// undertaking turns a wish into what the persona will do: "always greet me with Ahoy" becomes "I'll always greet you
// with Ahoy".
func undertaking(wish string) string {
	wish = strings.TrimRight(strings.TrimSpace(wish), ".!")
	for trimmed := true; trimmed; {
		trimmed = false
		for _, polite := range []string{"please ", "from now on, ", "from now on ", "remember to ", "you should ", "you must ", "i want you to ", "to "} {
			if len(wish) > len(polite) && strings.EqualFold(wish[:len(polite)], polite) {
				wish, trimmed = wish[len(polite):], true
			}
		}
	}
	if one, other, ok := twoWishes(wish); ok {
		return undertaking(one) + " and " + undertaking(other)
	}
	for _, not := range []string{"don't ", "don’t ", "do not ", "dont "} {
		if len(wish) > len(not) && strings.EqualFold(wish[:len(not)], not) {
			return "I won't " + turned(wish[len(not):])
		}
	}
	first, rest, _ := strings.Cut(wish, " ")
	return strings.TrimSpace("I'll " + strings.ToLower(first) + " " + turned(rest))
}

// wishVerbs begin a wish of its own after "and".
var wishVerbs = words("keep be stay use call greet say speak answer write reply stop always never don't dont do ask tell start begin end " +
	"remember talk make give avoid")

// twoWishes parts a wish in which another follows after "and" or "but": a "don't" before it is not meant for it.
func twoWishes(wish string) (one, other string, ok bool) {
	for _, joint := range []string{" and ", " but ", ", "} {
		one, other, ok = strings.Cut(wish, joint)
		next, _, more := strings.Cut(other, " ")
		if ok && more && wishVerbs.has(plainWord(next)) && strings.Contains(one, " ") {
			return one, other, true
		}
	}
	return "", "", false
}

// planned confirms plans and promises with their time.
func (sp *speaking) planned() []string {
	var parts []string
	for _, line := range sp.scene.Heard {
		for _, c := range line.Reading.Claims {
			if c.Subject != "" || c.Negates || c.Kind != rel.Plan && c.Kind != rel.Promise {
				continue
			}
			parts = append(parts, sp.planLine(c, line))
		}
	}
	return parts
}

// planLine confirms one plan: with its day it is asked after later, which is said.
func (sp *speaking) planLine(c understand.Claim, line Line) string {
	ev := eventOf(c.Value, line.At)
	if c.Kind == rel.Promise {
		return sp.put("plan.promise", "thing", turned(c.Value))
	}
	if known := memory.LoopMeant(sp.scene.Loops, c); c.Changed && known.ID != 0 {
		return sp.movedLine(c, sp.loopEvent(known))
	}
	key := "plan.open"
	fill := []string{"thing", ev.words}
	if c.Span != nil {
		key = "plan.dated"
		day := sayTime(c.Span.From, c.Span.Until, sp.scene.Now)
		fill = append(fill, "when", day, "day", strings.TrimPrefix(day, "on "))
	}
	switch ev.form {
	case eventGerund:
		key += ".gerund"
	case eventVerb:
		key += ".verb"
	case eventDeed:
		if c.Span != nil {
			key = "plan.deed"
		}
	}
	return sp.put(key, fill...)
}

// movedLine confirms the new time of a plan, or asks for it.
func (sp *speaking) movedLine(c understand.Claim, ev event) string {
	if c.Span == nil {
		return sp.put("plan.moved.open", "thing", ev.words)
	}
	return sp.put("plan.moved", "thing", ev.words, "when", sayTime(c.Span.From, c.Span.Until, sp.scene.Now))
}

// askRight asks what to put right, when a message corrects something and nobody can tell what.
func (sp *speaking) askRight() []string {
	for _, line := range sp.scene.Heard {
		if line.Reading.Corrects && len(line.Reading.Claims) == 0 && line.Reading.Question == nil && len(sp.scene.Changes) == 0 {
			sp.asked = true
			return []string{sp.put("correct.what")}
		}
	}
	return nil
}
