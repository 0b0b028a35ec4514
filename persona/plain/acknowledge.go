package plain

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// acknowledger confirms what the messages state. It stays neutral where a fact cannot be said back cleanly.
type acknowledger struct{ *composer }

// acknowledge confirms what was learned from the messages: losses first, then facts, wishes, plans, outcomes of open loops,
// and feelings.
func (ac acknowledger) acknowledge() []string {
	parts := []string{ac.forgetting(), ac.mourned()}
	for _, say := range []func() []string{ac.believed, ac.told, ac.concluded} {
		parts = append(parts, say()...)
	}
	parts = append(parts, ac.felt())
	unclear := func(l scene.Line) bool {
		claims := slices.ContainsFunc(l.Parsed.Claims, func(c understand.Claim) bool { return c.Relation != "" })
		return l.Parsed.Corrects && !claims && l.Parsed.Question == nil
	}
	if len(ac.scene.Changes) == 0 && slices.ContainsFunc(ac.scene.Incoming, unclear) {
		parts = append(parts, ac.put("correct.what"))
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

// forgetting explains how to forget something, and names the memory if exactly one matches. It does not forget by
// itself: forgetting is final, and /forget names exactly what goes.
func (ac acknowledger) forgetting() string {
	i := slices.IndexFunc(ac.scene.Incoming, func(l scene.Line) bool { return l.Parsed.Forget })
	if i < 0 {
		return ""
	}
	about := ac.scene.Incoming[i].Parsed.ForgetAbout
	if about == "" {
		return ac.put("forget.how")
	}
	topic := words.Content(about)
	meant := slices.DeleteFunc(slices.Clone(ac.scene.Forgettable), func(m model.Memory) bool {
		return len(topic) == 0 || words.SharedWith(topic, m.Text) < len(topic) || strings.HasSuffix(strings.TrimSpace(m.Text), "?")
	})
	if len(meant) != 1 {
		return ac.put("forget.about", "about", about)
	}
	return ac.put("forget.one", "quote", words.ExcerptAbout(meant[0].Text, topic), "number", strconv.FormatInt(meant[0].ID, 10))
}

// claims returns the claims of the messages, oldest first.
func (co *composer) claims() (all []understand.Claim) {
	for _, line := range co.scene.Incoming {
		all = append(all, line.Parsed.Claims...)
	}
	return all
}

// mourned responds to the news of a death, before anything else and without anything cheerful.
func (ac acknowledger) mourned() string {
	for _, c := range ac.claims() {
		if understand.Death(c.Relation) && !c.Negates {
			ac.asked = true
			who := c.Subject
			if kin, _ := rel.Of(c.Relation); kin != "" {
				who = "your " + kin
			}
			return ac.put("ack.loss", "who", who)
		}
	}
	return ""
}

// sayableRunes is the longest value said back as a fact, in characters. Longer ones are hardly ever values.
const sayableRunes = 48

// sayable reports whether a belief can be said back as a fact.
func (ac acknowledger) sayable(b model.Belief) bool {
	return ac.tongue.english() && utf8.RuneCountInString(b.Value) <= sayableRunes && !strings.ContainsAny(b.Value, ".!?;:\n")
}

// believed confirms what the person's own words changed in beliefs: what was put right, the name just given, new facts, and
// facts that were known already.
func (ac acknowledger) believed() (parts []string) {
	var fresh, known []model.Belief
	name := ""
	for _, c := range ac.scene.Changes {
		b := c.Belief
		switch own := b.AuthorID == 0 || b.AuthorID == ac.scene.Person.ID; {
		case !own || scene.SpokenElsewhere.Has(b.Relation) || understand.Death(b.Relation):
		case b.Relation == "name" && ac.scene.Owns(b) && slices.Contains([]string{"new", "corrected", "changed"}, c.Kind):
			name = rel.Display("name", b.Value) // the last one given
		case c.Kind == "new":
			fresh = append(fresh, b)
		case c.Kind == "confirmed":
			known = append(known, b)
		case !ac.sayable(b):
			parts = append(parts, ac.put("ack.put.right"))
		case c.Kind == "corrected" && c.Old != "":
			parts = append(parts, ac.put("ack.corrected", "value", b.Value, "old", c.Old))
		case c.Kind == "retracted" || c.Kind == "past":
			parts = append(parts, ac.put("ack.retracted", "fact", ac.describe(b)))
		default:
			parts = append(parts, ac.put("ack.changed", "fact", ac.describe(b)))
		}
	}
	return append(slices.Compact(parts), ac.nameLearned(name), ac.noted("ack.new", fresh), ac.noted("ack.known", known))
}

// noted confirms beliefs, without saying them back unless all can be said cleanly.
func (ac acknowledger) noted(key string, beliefs []model.Belief) string {
	switch {
	case len(beliefs) == 0:
		return ""
	case slices.ContainsFunc(beliefs, func(b model.Belief) bool { return !ac.sayable(b) }):
		return ac.put("ack.noted")
	}
	return ac.put(key, "fact", ac.joined(ac.facts(beliefs)))
}

// nameLearned confirms a name just given, "" if none was.
func (ac acknowledger) nameLearned(name string) string {
	key := "ack.name"
	switch {
	case name == "":
		return ""
	case ac.named && name == ac.scene.Address:
		key = "ack.name.met" // the greeting used the name already
	case ac.scene.Stage == mind.Stranger || ac.scene.Greeting != nil && ac.scene.Greeting.First:
		key = "ack.name.first"
	}
	ac.named = true
	return ac.put(key, "value", name)
}

// told confirms forms of address, standing wishes, plans and promises.
func (ac acknowledger) told() (parts []string) {
	for _, c := range ac.claims() {
		switch wish := c.Kind == rel.Instruction; {
		case wish && c.Negates && c.Relation == rel.CallMe:
			parts = append(parts, ac.put("obey.notcall", "value", c.Value))
		case wish && c.Relation == rel.CallMe:
			ac.named = true
			parts = append(parts, ac.put("obey.call", "value", rel.Display(c.Relation, c.Value)))
		case wish:
			parts = append(parts, ac.put("obey.wish", "wish", words.Excerpt(strings.TrimRight(c.Value, ".!"))))
		case c.Subject == "" && !c.Negates && (c.Kind == rel.Plan || c.Kind == rel.Promise):
			parts = append(parts, ac.planned(c))
		}
	}
	return parts
}

// planned confirms one plan. If its day is known, the persona says that it will ask about it.
func (ac acknowledger) planned(c understand.Claim) string {
	known := belief.MatchLoop(ac.scene.Loops, c)
	thing, _ := ac.thing(c.Value)
	key, day := "plan.open", ""
	switch {
	case c.Kind == rel.Promise:
		key = "plan.promise"
	case c.Changed && known.ID != 0:
		thing, _ = ac.thing(known.Text)
		key = "plan.moved.open"
	}
	if c.Span != nil {
		day = ac.time(c.Span.From, c.Span.Until)
		key = map[string]string{"plan.open": "plan.dated", "plan.moved.open": "plan.moved", "plan.promise": key}[key]
	}
	return ac.put(key, "thing", thing, "when", day)
}

// concluded responds to the outcome of open loops.
func (ac acknowledger) concluded() (parts []string) {
	for _, line := range ac.scene.Incoming {
		closed := scene.AnsweredLoops(ac.scene.Loops, line, scene.AskedLately(ac.scene.Recent))
		for _, l := range ac.scene.Loops {
			thing, noun := ac.thing(l.Text)
			if !noun {
				thing = "“" + thing + "”"
			}
			verdict := scene.VerdictOf(line.Text)
			if scene.CalledOff(line, l) {
				verdict = "off"
			}
			if slices.Contains(closed, l.ID) {
				parts = append(parts, ac.put("outcome."+verdict, "thing", thing))
			}
		}
	}
	return parts
}

// felt responds to feelings with care, unless somebody died.
func (ac acknowledger) felt() string {
	claims := ac.claims()
	i := slices.IndexFunc(claims, func(c understand.Claim) bool { return c.Kind == rel.Feeling && c.Subject == "" })
	if i < 0 || slices.ContainsFunc(claims, func(c understand.Claim) bool { return understand.Death(c.Relation) }) {
		return ""
	}
	mood := scene.VerdictOf(claims[i].Value)
	if mood != "good" && mood != "bad" {
		mood = scene.VerdictOf(ac.seed)
	}
	if claims[i].Negates || mood == "off" {
		mood = "neutral"
	}
	ac.asked = ac.asked || mood != "good"
	return ac.put("feels." + mood)
}
