package plain

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// greeter words the greeting of someone who returns or whom the persona writes to first.
type greeter struct{ *composer }

// greet writes the greeting: an opening in the card's manner, open or upcoming loops, then memories. It never makes
// someone's absence sound like a reproach.
func (gr greeter) greet() []string {
	g := gr.scene.Greeting
	parts := []string{gr.opening()}
	if g.First {
		return append(parts, gr.introduce()...)
	}
	for _, l := range g.Loops {
		parts = append(parts, gr.loopLine(l))
	}
	if len(g.Loops) == 0 {
		parts = append(parts, gr.askAfterGoal())
	}
	for _, m := range g.Observed {
		if what, ok := scene.ToThem(m.Text, model.CleanName(gr.scene.Person.Name)); ok {
			parts = append(parts, gr.put("mention.noticed", "what", what))
			gr.use(m.ID)
		}
	}
	for i, m := range g.Recalled {
		if line := gr.mention(m, uint32(i)); line != "" {
			parts = append(parts, line)
			gr.use(m.ID)
		}
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) == 1 && !gr.saidSomething() {
		parts = append(parts, gr.put("greet.open"))
	}
	return parts
}

// opening returns the first sentence: as the person asked to be greeted, else one of the card's openings, else by the
// time of day.
func (gr greeter) opening() string {
	for _, w := range gr.wishes() {
		if words, ok := greetsWith(w); ok {
			gr.named = gr.scene.Address != ""
			return gr.openWith(words)
		}
	}
	if gr.scene.Greeting.Proactive {
		return gr.put("unasked.hello")
	}
	// The card's openings are for people who return; a holiday has its own.
	if own := gr.scene.Card.Greetings; len(own) > 0 && !gr.scene.Greeting.First {
		return endSentence(gr.called(own[gr.scene.Greeting.Opening%len(own)]))
	}
	switch hour := gr.scene.Now.Hour(); {
	case hour >= 5 && hour < 11:
		return gr.turn("greet.morning")
	case hour >= 18 && hour < 23:
		return gr.turn("greet.evening")
	}
	return gr.turn("greet.hello")
}

// openWith greets with the words someone asked for and their name.
func (gr greeter) openWith(greeting string) string {
	greeting = strings.TrimRight(greeting, " .")
	if gr.scene.Address == "" || words.Holds(greeting, gr.scene.Address) {
		return endSentence(greeting)
	}
	mark := "."
	if calm, ok := strings.CutSuffix(greeting, "!"); ok {
		greeting, mark = calm, "!"
	}
	return words.Capital(greeting) + ", " + gr.scene.Address + mark
}

// called fills {name} in one of the card's openings. Without a name it drops the placeholder and its comma.
func (gr greeter) called(opening string) string {
	name := gr.scene.Address
	if name == "" {
		for _, slot := range []string{", {name}", " {name}", "{name}, ", "{name}"} {
			opening = strings.ReplaceAll(opening, slot, "")
		}
		return words.Capital(opening)
	}
	gr.named = gr.named || strings.Contains(opening, "{name}")
	return strings.ReplaceAll(opening, "{name}", name)
}

// introduce introduces the persona at the first meeting and asks for a name if none is known.
func (gr greeter) introduce() []string {
	parts := []string{gr.put("greet.introduce", "self", gr.scene.Card.Name)}
	for _, m := range gr.scene.Greeting.Recalled {
		at := m.Created.In(gr.scene.Now.Location())
		parts = append(parts, gr.put("mention.heard", "quote", words.ExcerptAbout(m.Text, gr.heardContent()), "day", sayDay(at, gr.scene.Now)))
		gr.use(m.ID)
	}
	if gr.scene.Address == "" && !gr.tellsName() {
		gr.asked = true
		parts = append(parts, gr.put("greet.askname"))
	} else if !gr.saidSomething() {
		parts = append(parts, gr.put("greet.open"))
	}
	return parts
}

// heardContent returns the content words of the messages.
func (gr greeter) heardContent() words.Set { return words.Content(gr.seed) }

// tellsName reports whether the messages give the person's name.
func (gr greeter) tellsName() bool {
	for _, c := range gr.claims() {
		if c.Subject == "" && (c.Relation == "name" || c.Relation == rel.CallMe) {
			return true
		}
	}
	return false
}

// loopLine brings up one open loop: how it went, that it is today, or that it is coming up. It does not ask what a
// message already answers.
func (gr greeter) loopLine(l model.Loop) string {
	if gr.answers(l) {
		return ""
	}
	ev := gr.loopEvent(l)
	key := "loop.ahead"
	if scene.HasPassed(l, gr.scene.Now) {
		key = "loop.after"
		if gr.asked {
			key = "loop.also" // one question at a time
		}
		gr.asked = true
	}
	switch ev.form {
	case eventGerund:
		key += ".gerund"
	case eventVerb:
		key += ".verb"
	}
	return gr.put(key, "thing", ev.words, "when", sayTime(l.DueFrom, scene.LoopEnd(l), gr.scene.Now))
}

// answers reports whether a message answers the loop.
func (gr greeter) answers(l model.Loop) bool {
	for _, line := range gr.scene.Incoming {
		if len(scene.AnsweredLoops([]model.Loop{l}, line, scene.AskedLately(gr.scene.Recent))) > 0 {
			return true
		}
	}
	return false
}

// mention brings up something the person said: it asks about it, repeats it or quotes it. number distinguishes several,
// so that each has its own wording.
func (gr greeter) mention(m model.Memory, number uint32) string {
	at := m.Created.In(gr.scene.Now.Location())
	day := sayDay(at, gr.scene.Now)
	for _, c := range m.Stored.Or(understand.Utterance{Text: m.Text, At: at}).Claims {
		if c.Subject == "" && !c.Negates && strings.HasPrefix(c.Relation, "pet_name:") && !gr.asked {
			gr.asked = true
			return gr.put("mention.pet", "value", rel.Display(c.Relation, c.Value))
		}
	}
	if told, ok := indirect(m.Text, at, gr.scene.Now); ok {
		return gr.putFrom(gr.hash("mention.told")+number, "mention.told", "what", told, "day", day)
	}
	return gr.putFrom(gr.hash("mention.quote")+number, "mention.quote", "quote", words.ExcerptAbout(m.Text, gr.heardContent()), "day", day)
}

// askAfterGoal asks about one of the person's goals, "" if none is worth it.
func (gr greeter) askAfterGoal() string {
	g, ok := scene.GoalToAskAfter(gr.scene.Goals, gr.scene.Now)
	if !ok || gr.asked || gr.saidSomething() {
		return ""
	}
	gr.asked = true
	return gr.put("goals.ask", "goal", turned(g.Text))
}
