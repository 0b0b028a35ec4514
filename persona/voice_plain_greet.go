package persona

import (
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// greet says the greeting: an opening in the card's manner, what is open or coming up, then what is remembered. It
// never speaks of how long somebody stayed away as if they owed it.
func (sp *speaking) greet() []string {
	g := sp.scene.Greeting
	parts := []string{sp.opening()}
	if g.First {
		return append(parts, sp.introduce()...)
	}
	for _, l := range g.Loops {
		parts = append(parts, sp.loopLine(l))
	}
	if len(g.Loops) == 0 {
		parts = append(parts, sp.askAfterGoal())
	}
	for _, m := range g.Observed {
		if what, ok := toThem(m.Text, memory.CleanName(sp.scene.Person.Name)); ok {
			parts = append(parts, sp.put("mention.noticed", "what", what))
			sp.use(m.ID)
		}
	}
	for i, m := range g.Recalled {
		if line := sp.mention(m, uint32(i)); line != "" {
			parts = append(parts, line)
			sp.use(m.ID)
		}
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) == 1 && !sp.saidSomething() {
		parts = append(parts, sp.put("greet.open"))
	}
	return parts
}

// opening is the first sentence: as the person asked to be greeted, else one of the card's openings, else by the time
// of day.
func (sp *speaking) opening() string {
	for _, w := range sp.wishes() {
		if words, ok := greetsWith(w); ok {
			sp.named = sp.scene.Address != ""
			return sp.openWith(words)
		}
	}
	if sp.scene.Greeting.Unasked {
		return sp.put("unasked.hello")
	}
	// The card's openings are for those who come back; a day has its own.
	if own := sp.scene.Card.Greetings; len(own) > 0 && !sp.scene.Greeting.First {
		return endSentence(sp.called(own[sp.scene.Greeting.Opening%len(own)]))
	}
	switch hour := sp.scene.Now.Hour(); {
	case hour >= 5 && hour < 11:
		return sp.turn("greet.morning")
	case hour >= 18 && hour < 23:
		return sp.turn("greet.evening")
	}
	return sp.turn("greet.hello")
}

// openWith greets with the words somebody asked for and their name.
func (sp *speaking) openWith(greeting string) string {
	greeting = strings.TrimRight(greeting, " .")
	if sp.scene.Address == "" || holds(greeting, sp.scene.Address) {
		return endSentence(greeting)
	}
	mark := "."
	if calm, ok := strings.CutSuffix(greeting, "!"); ok {
		greeting, mark = calm, "!"
	}
	return capital(greeting) + ", " + sp.scene.Address + mark
}

// called fills {name} in one of the card's openings; without a name the slot and its comma are left out.
func (sp *speaking) called(opening string) string {
	name := sp.scene.Address
	if name == "" {
		for _, slot := range []string{", {name}", " {name}", "{name}, ", "{name}"} {
			opening = strings.ReplaceAll(opening, slot, "")
		}
		return capital(opening)
	}
	sp.named = sp.named || strings.Contains(opening, "{name}")
	return strings.ReplaceAll(opening, "{name}", name)
}

// endSentence gives a text its full stop when it has no end.
func endSentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") || strings.HasSuffix(text, "…") || strings.HasSuffix(text, "”") {
		return text
	}
	return text + "."
}

// introduce says who the persona is when they first meet, and asks for a name when none is known.
func (sp *speaking) introduce() []string {
	parts := []string{sp.put("greet.introduce", "self", sp.scene.Card.Name)}
	for _, m := range sp.scene.Greeting.Recalled {
		at := m.Created.In(sp.scene.Now.Location())
		parts = append(parts, sp.put("mention.heard", "quote", excerptAbout(m.Text, sp.heardContent()), "day", sayDay(at, sp.scene.Now)))
		sp.use(m.ID)
	}
	if sp.scene.Address == "" && !sp.tellsName() {
		sp.asked = true
		parts = append(parts, sp.put("greet.askname"))
	} else if !sp.saidSomething() {
		parts = append(parts, sp.put("greet.open"))
	}
	return parts
}

// heardContent is what the heard messages are about.
func (sp *speaking) heardContent() wordSet { return contentOf(sp.seed) }

// tellsName says that the heard messages give the person's name.
func (sp *speaking) tellsName() bool {
	for _, c := range sp.claims() {
		if c.Subject == "" && (c.Relation == "name" || c.Relation == rel.CallMe) {
			return true
		}
	}
	return false
}

// loopLine brings up one open loop: how it went, that it is today, or that it is coming up. What a heard message
// already answers is not asked.
func (sp *speaking) loopLine(l memory.Loop) string {
	if sp.answers(l) {
		return ""
	}
	ev := sp.loopEvent(l)
	key := "loop.ahead"
	if hasPassed(l, sp.scene.Now) {
		key = "loop.after"
		if sp.asked {
			key = "loop.also" // one question at a time: the second is left to the person
		}
		sp.asked = true
	}
	switch ev.form {
	case eventGerund:
		key += ".gerund"
	case eventVerb:
		key += ".verb"
	}
	return sp.put(key, "thing", ev.words, "when", sayTime(l.DueFrom, loopEnd(l), sp.scene.Now))
}

// answers says that a heard message answers the loop.
func (sp *speaking) answers(l memory.Loop) bool {
	for _, line := range sp.scene.Heard {
		if len(AnsweredLoops([]memory.Loop{l}, line, askedLately(sp.scene.Recent))) > 0 {
			return true
		}
	}
	return false
}

// mention brings up something the person said: by asking after it, repeating or quoting it.
// number tells several apart, so that none is worded like the one before.
func (sp *speaking) mention(m memory.Memory, number uint32) string {
	at := m.Created.In(sp.scene.Now.Location())
	day := sayDay(at, sp.scene.Now)
	for _, c := range understand.Analyze(understand.Utterance{Text: m.Text, At: at}).Claims {
		if c.Subject == "" && !c.Negates && strings.HasPrefix(c.Relation, "pet_name:") && !sp.asked {
			sp.asked = true
			return sp.put("mention.pet", "value", rel.Display(c.Relation, c.Value))
		}
	}
	if told, ok := indirect(m.Text, at, sp.scene.Now); ok {
		return sp.putFrom(sp.hash("mention.told")+number, "mention.told", "what", told, "day", day)
	}
	return sp.putFrom(sp.hash("mention.quote")+number, "mention.quote", "quote", excerptAbout(m.Text, sp.heardContent()), "day", day)
}
