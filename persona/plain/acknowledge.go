package plain

import (
	"slices"
	"strings"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// acknowledger confirms what the messages state.
type acknowledger struct{ *composer }

// acknowledge confirms what was learned from the messages: corrections first, then new facts, wishes, plans, outcomes
// of open loops, and feelings.
func (ac acknowledger) acknowledge() []string {
	var parts []string
	for _, say := range []func() []string{ac.forgetting, ac.mourned, ac.congratulated, ac.replaced, ac.learned, ac.obeyed, ac.planned, ac.concluded, ac.felt} {
		parts = append(parts, say()...)
	}
	return parts
}

// changes returns the changes of the given kinds that the person's own words made to beliefs.
func (ac acknowledger) changes(kinds ...string) []model.BeliefChange {
	var found []model.BeliefChange
	for _, c := range ac.scene.Changes {
		own := c.Belief.AuthorID == 0 || c.Belief.AuthorID == ac.scene.Person.ID
		if own && slices.Contains(kinds, c.Kind) {
			found = append(found, c)
		}
	}
	return found
}

// replaced confirms what was corrected, has changed or was taken back.
func (ac acknowledger) replaced() []string {
	var parts []string
	changes := ac.changes("corrected", "changed")
	for i, c := range changes {
		key := "ack." + c.Kind
		replacedAgain := slices.ContainsFunc(changes[i+1:], func(later model.BeliefChange) bool {
			return later.Old == c.Belief.Value && later.Belief.Relation == c.Belief.Relation && ac.subjectOf(later.Belief) == ac.subjectOf(c.Belief)
		})
		switch {
		case replacedAgain:
			continue
		case c.Belief.Relation == rel.CallMe || c.Belief.Relation == rel.Wish || c.Belief.Relation == rel.Planned:
			continue // confirmed as the wish or plan it is
		case ac.isOwnName(c.Belief) && ac.givesNewName():
			continue // "my name is Patrick, everybody calls me Paddy": use the last one
		case c.Old == "":
			key = "ack.new"
		}
		parts = append(parts, ac.put(key, "value", c.Belief.Value, "old", c.Old, "fact", ac.describe(c.Belief)))
	}
	for _, c := range ac.changes("past") {
		parts = append(parts, ac.put("ack.past", "value", rel.Display(c.Belief.Relation, c.Belief.Value)))
	}
	for _, c := range ac.changes("retracted") {
		if c.Belief.Relation == rel.Planned || c.Belief.Relation == rel.CallMe {
			continue // confirmed as the plan or wish it was
		}
		if said := ac.put("ack.retracted", "fact", ac.describe(c.Belief)); !slices.Contains(parts, said) {
			parts = append(parts, said)
		}
	}
	return parts
}

// learned confirms new facts in one sentence, and facts that were known already.
func (ac acknowledger) learned() []string {
	var fresh, known []model.Belief
	var parts []string
	for _, c := range ac.changes("new") {
		switch {
		case spokenElsewhere.Has(c.Belief.Relation) || understand.Death(c.Belief.Relation) || ac.mourns(c.Belief.Value):
		case ac.isOwnName(c.Belief):
			name := rel.Display("name", ac.lastName(c.Belief.Value))
			key := ac.meetKey()
			if ac.named && name == ac.scene.Address {
				key = "ack.name.met" // the greeting used the name already
			}
			ac.named = true
			parts = append(parts, ac.put(key, "value", name))
		default:
			fresh = append(fresh, c.Belief)
		}
	}
	for _, c := range ac.changes("confirmed") {
		if !spokenElsewhere.Has(c.Belief.Relation) {
			known = append(known, c.Belief)
		}
	}
	if len(fresh) > 0 {
		parts = append(parts, ac.put("ack.new", "fact", joined(ac.facts(fresh))))
		if ask := ac.followUp(fresh[len(fresh)-1]); ask != "" {
			parts = append(parts, ask)
		}
	}
	if len(known) > 0 {
		parts = append(parts, ac.put("ack.known", "fact", joined(ac.facts(known))))
	}
	return parts
}

// isOwnName reports whether a belief is the person's own name.
func (ac acknowledger) isOwnName(b model.Belief) bool {
	return b.Relation == "name" && ac.ownBelief(b)
}

// givesNewName reports whether this turn gave a name where none was known.
func (ac acknowledger) givesNewName() bool {
	return slices.ContainsFunc(ac.changes("new"), func(c model.BeliefChange) bool { return ac.isOwnName(c.Belief) })
}

// lastName returns the last of several names given in this turn.
func (ac acknowledger) lastName(name string) string {
	for _, c := range ac.changes("corrected", "changed") {
		if ac.isOwnName(c.Belief) {
			name = c.Belief.Value
		}
	}
	return name
}

// meetKey returns the key of the wording for a name just given.
func (ac acknowledger) meetKey() string {
	if ac.scene.Stage == mind.Stranger || ac.scene.Greeting != nil && ac.scene.Greeting.First {
		return "ack.name.first"
	}
	return "ack.name"
}

// followUp asks about something new, occasionally, and only people who like to talk.
func (ac acknowledger) followUp(b model.Belief) string {
	kind, _, _ := strings.Cut(b.Relation, ":")
	key := "ask." + kind
	if len(wordings[key]) == 0 || ac.asked || ac.brief() || !ac.ownBelief(b) || !ac.scene.Direct || !ac.sometimes("follow up", 2) {
		return ""
	}
	for _, line := range ac.scene.Incoming {
		if line.Parsed.Question != nil {
			return "" // answering comes first
		}
	}
	ac.asked = true
	return ac.put(key, "value", rel.Display(b.Relation, b.Value))
}

// obeyed confirms forms of address and standing wishes.
func (ac acknowledger) obeyed() []string {
	var parts []string
	for _, c := range ac.claims() {
		if c.Kind != rel.Instruction {
			continue
		}
		switch {
		case c.Negates && c.Relation == rel.CallMe:
			parts = append(parts, ac.put("obey.notcall", "value", c.Value))
		case c.Relation == rel.CallMe:
			ac.named = true
			parts = append(parts, ac.put("obey.call", "value", rel.Display(c.Relation, c.Value)))
		default:
			parts = append(parts, ac.put("obey.wish", "promise", undertaking(c.Value)))
		}
	}
	return parts
}

// undertaking turns a wish into a promise of the persona: "always greet me with Ahoy" becomes "I'll always greet you
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

// wishVerbs begin a separate wish after "and".
var wishVerbs = words.Of("keep be stay use call greet say speak answer write reply stop always never don't dont do ask tell start begin end " +
	"remember talk make give avoid")

// twoWishes splits a wish that contains another after "and" or "but". A "don't" in the first does not apply to the
// second.
func twoWishes(wish string) (one, other string, ok bool) {
	for _, joint := range []string{" and ", " but ", ", "} {
		one, other, ok = strings.Cut(wish, joint)
		next, _, more := strings.Cut(other, " ")
		if ok && more && wishVerbs.Has(words.PlainWord(next)) && strings.Contains(one, " ") {
			return one, other, true
		}
	}
	return "", "", false
}

// planned confirms plans and promises with their time.
func (ac acknowledger) planned() []string {
	var parts []string
	for _, line := range ac.scene.Incoming {
		for _, c := range line.Parsed.Claims {
			if c.Subject != "" || c.Negates || c.Kind != rel.Plan && c.Kind != rel.Promise {
				continue
			}
			parts = append(parts, ac.planLine(c, line))
		}
	}
	return parts
}

// planLine confirms one plan. If its day is known, the persona says that it will ask about it.
func (ac acknowledger) planLine(c understand.Claim, line scene.Line) string {
	ev := eventOf(c.Value, line.At)
	if c.Kind == rel.Promise {
		return ac.put("plan.promise", "thing", turned(c.Value))
	}
	if known := belief.MatchLoop(ac.scene.Loops, c); c.Changed && known.ID != 0 {
		return ac.movedLine(c, ac.loopEvent(known))
	}
	key := "plan.open"
	fill := []string{"thing", ev.words}
	if c.Span != nil {
		key = "plan.dated"
		day := sayTime(c.Span.From, c.Span.Until, ac.scene.Now)
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
	return ac.put(key, fill...)
}

// movedLine confirms the new time of a plan, or asks for it.
func (ac acknowledger) movedLine(c understand.Claim, ev event) string {
	if c.Span == nil {
		return ac.put("plan.moved.open", "thing", ev.words)
	}
	return ac.put("plan.moved", "thing", ev.words, "when", sayTime(c.Span.From, c.Span.Until, ac.scene.Now))
}

// askRight asks what to correct if a message corrects something unclear.
func (ac acknowledger) askRight() []string {
	for _, line := range ac.scene.Incoming {
		if line.Parsed.Corrects && len(line.Parsed.Claims) == 0 && line.Parsed.Question == nil && len(ac.scene.Changes) == 0 {
			ac.asked = true
			return []string{ac.put("correct.what")}
		}
	}
	return nil
}
