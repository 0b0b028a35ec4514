package plain

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// greeter words the greeting of someone who returns or whom the persona writes to first.
type greeter struct{ *composer }

// greet writes the greeting: an opening in the card's manner, open or upcoming loops, then memories, which it asks about. It
// never makes someone's absence sound like a reproach, and leaves out what they do not want to hear of.
func (gr greeter) greet() []string {
	g := gr.scene.Greeting
	parts := []string{gr.opening()}
	if g.First && parts[0] == gr.fromSheet() {
		return parts // it says who is there
	}
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
		if what, ok := scene.ToThem(m.Text, model.CleanName(gr.scene.Person.Name)); ok && gr.tongue.english() && !gr.refused(m.Text, "") {
			parts = append(parts, gr.put("mention.noticed", "what", what))
			gr.use(m.ID, 0)
		}
	}
	if !gr.saidSomething() {
		parts = append(parts, gr.fromWeb())
	}
	for i, m := range g.Recalled {
		if !gr.saidSomething() && !gr.refused(m.Text, "") && !scene.Despairs(m.Text) && words.SharedWith(words.Content(m.Text), parts...) == 0 { // what they came with goes first
			parts = append(parts, gr.mention(m, uint32(i)))
		}
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) == 1 && !gr.saidSomething() {
		parts = append(parts, gr.put("greet.open"))
	}
	return parts
}

// fromWeb tells a sentence that the persona read, "" if there is none in the language of the reply. It names the host: a site can call
// itself anything.
func (co *composer) fromWeb() string {
	n := co.scene.WebNote
	if n == nil || lexical.Detect(n.Text).Tag() != co.tongue.tag || co.refused(n.Text, "") {
		return ""
	}
	co.use(n.ID, 0)
	return co.put("mention.web", "site", n.Host(), "quote", n.Text)
}

// opening returns the first sentence: as the person asked to be greeted, else one of the card's openings, else by the
// time of day.
func (gr greeter) opening() string {
	g, own := gr.scene.Greeting, gr.scene.Card.Greetings
	for _, w := range gr.scene.Wishes() {
		if asked, ok := scene.GreetsWith(w); ok {
			return endSentence(gr.called(words.Capital(strings.TrimRight(asked, " .!")) + ", {name}"))
		}
	}
	if said := gr.fromSheet(); said != "" {
		return said
	}
	key := "greet.hello"
	switch hour := gr.scene.Now.Hour(); {
	case g.Proactive:
		return gr.put("unasked.hello")
	case len(own) > 0 && !g.First: // the card's openings are for people who return
		return endSentence(gr.called(own[g.Opening%len(own)]))
	case hour >= 5 && hour < 11:
		key = "greet.morning"
	case hour >= 18 && hour < 23:
		key = "greet.evening"
	}
	return gr.putFrom(uint32(g.Opening), key) // in rotation, so that no greeting opens like the one before
}

// fromSheet returns an opening of the persona's character card, "" if it has none that fits.
func (gr greeter) fromSheet() string {
	sheet := gr.scene.Card.Sheet
	openings := sheet.FirstMessages
	switch {
	case !gr.scene.Direct && len(sheet.GroupGreetings) > 0:
		return sheet.GroupGreetings[gr.scene.Greeting.Opening%len(sheet.GroupGreetings)]
	case len(gr.scene.Card.Greetings) > 0 && !gr.scene.Greeting.First:
		return ""
	}
	if i := gr.scene.Opening(openings); i >= 0 {
		return openings[i]
	}
	return ""
}

// called fills {name} in an opening. Without a name it drops the placeholder and its comma.
func (gr greeter) called(opening string) string {
	if gr.scene.Address == "" {
		return words.Capital(strings.NewReplacer(", {name}", "", " {name}", "", "{name}, ", "", "{name}", "").Replace(opening))
	}
	gr.named = gr.named || strings.Contains(opening, "{name}")
	return strings.ReplaceAll(opening, "{name}", gr.scene.Address)
}

// introduce introduces the persona at the first meeting and asks for a name if none is known.
func (gr greeter) introduce() []string {
	parts := []string{gr.put("greet.introduce", "self", gr.scene.Card.Name)}
	for _, m := range gr.scene.Greeting.Recalled {
		parts = append(parts, gr.put("mention.heard", "quote", words.ExcerptAbout(m.Text, words.Content(gr.seed))))
		gr.use(m.ID, 0)
	}
	tellsName := slices.ContainsFunc(gr.claims(), func(c understand.Claim) bool {
		return c.Subject == "" && (c.Relation == "name" || c.Relation == rel.CallMe)
	})
	if gr.scene.Address == "" && !tellsName {
		gr.asked = true
		return append(parts, gr.put("greet.askname"))
	}
	if !gr.saidSomething() {
		parts = append(parts, gr.put("greet.open"))
	}
	return parts
}

// loopLine brings up one open loop: how it went, that it is today, or that it is coming up. It does not ask what a
// message already answers.
func (gr greeter) loopLine(l model.Loop) string {
	answered := slices.ContainsFunc(gr.scene.Incoming, func(line scene.Line) bool {
		return len(scene.AnsweredLoops([]model.Loop{l}, line, scene.AskedLately(gr.scene.Recent))) > 0
	})
	if answered || gr.refused(l.Text, "") {
		return ""
	}
	if l.Own {
		return gr.put("loop.own", "thing", l.Text)
	}
	said, noun := gr.thing(l.Text)
	key := "loop.ahead"
	if scene.HasPassed(l, gr.scene.Now) {
		key = "loop.after"
		if gr.asked && noun {
			key = "loop.also" // one question at a time
		}
		gr.asked = true
	}
	if !noun && key != "loop.also" {
		key, said = key+".told", l.Text
	}
	return gr.put(key, "thing", said, "when", gr.time(l.DueFrom, scene.LoopEnd(l)))
}

// mention asks about something the person said: by what it tells if that can be asked about, else with their words.
// number distinguishes several, so that each has its own wording.
func (gr greeter) mention(m model.Memory, number uint32) string {
	gr.use(m.ID, 0)
	for _, c := range m.Stored.Or(understand.Utterance{Text: m.Text, At: m.Created.In(gr.scene.Now.Location())}).Claims {
		kind, _, _ := strings.Cut(c.Relation, ":")
		if c.Subject == "" && !c.Negates && !gr.asked && gr.tongue.has("how."+kind) && len(c.Value) <= sayableRunes {
			gr.asked = true
			return gr.put("how."+kind, "value", rel.Display(c.Relation, c.Value))
		}
	}
	gr.asked = true
	return gr.putFrom(gr.hash("mention.quote")+number, "mention.quote", "quote", words.ExcerptAbout(m.Text, words.Content(gr.seed)))
}

// askAfterGoal asks about one of the person's goals, "" if none is worth it.
func (gr greeter) askAfterGoal() string {
	g, ok := scene.GoalToAskAfter(gr.scene.Goals, gr.scene.Now)
	if !ok || gr.asked || gr.saidSomething() || gr.refused(g.Text, "") {
		return ""
	}
	gr.asked = true
	return gr.put("goals.ask", "goal", gr.turned(g.Text))
}
