package plain

import (
	"maps"
	"slices"
	"strings"

	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// thing words a plan for use within a sentence: "the interview", "your mum's visit". noun reports whether it is a noun
// phrase; other plans are quoted.
func (co *composer) thing(text string) (said string, noun bool) {
	said = strings.TrimRight(words.Cut(strings.TrimSpace(text), thingRunes), ".,;:!?")
	lists, fields := co.tongue.lists, strings.Fields(said)
	if len(fields) == 0 || !co.tongue.english() {
		return text, false
	}
	switch first := words.PlainWord(fields[0]); {
	case (first == "a" || first == "an") && len(fields) > 1:
		return "the " + co.turned(strings.Join(fields[1:], " ")), true
	case lists["articles"].Has(first):
		return co.turned(first + said[len(fields[0]):]), true
	}
	head := fields[len(fields)-1] // the head of a noun phrase ends it or stands before a preposition
	if i := slices.IndexFunc(fields, func(w string) bool { return w == "with" || lists["danglers"].Has(words.PlainWord(w)) }); i > 0 {
		head = fields[i-1]
	}
	if head = words.PlainWord(head); lists["events"].Has(head) || lists["events"].Has(strings.TrimSuffix(head, "s")) {
		return "the " + co.turned(said), true
	}
	return co.turned(said), false
}

// dated words something expected, whose it is first if it is not the person's own.
func (co *composer) dated(d scene.Dated) string {
	co.useBeliefs(d.Belief)
	said, _ := co.thing(d.Text)
	if d.Subject != "" {
		return d.Subject + ": " + said
	}
	return said
}

// aboutPlans answers what is planned, on a day or at all, when something planned is, and whether it is.
func (an answerer) aboutPlans() string {
	asked := words.Content(an.q.About + " " + an.q.Value)
	for _, span := range when.Find(an.line.Text, an.line.At) {
		maps.DeleteFunc(asked, func(w string, _ bool) bool { return words.Content(an.line.Text[span.Start:span.End]).Has(w) })
	}
	whether := an.q.YesNo && len(an.q.Relations) == 0 && an.asksOfSelf()
	free := whether && an.q.Span != nil && len(asked) <= 1 && slices.ContainsFunc(words.Tokens(an.line.Text), an.tongue.lists["free"].Has)
	asksPlans := slices.Contains(an.q.Relations, rel.Planned) || free
	if !an.q.When && !asksPlans && !whether {
		return ""
	}
	if d, ok := an.scene.Scheduled(asked, whether); ok {
		key := "when.ahead"
		switch {
		case d.From.IsZero():
			key = "when.open"
		case !d.Until.After(an.scene.Now):
			key = "when.past"
		}
		return an.put(key, "thing", an.dated(d), "when", an.time(d.From, d.Until))
	}
	if plan, off := an.scene.CalledOff(asked); off {
		said, _ := an.thing(plan)
		return an.put("plan.off", "thing", said)
	}
	if !asksPlans || an.q.When || an.q.Subject != "" {
		return ""
	}
	if an.q.Span == nil {
		if things := an.ahead(plansListed); len(things) > 0 {
			return an.put("plans.list", "things", an.listed(things))
		}
		return first(an.fromQuotes, func() string { return an.put("plans.none") })
	}
	from, until := an.q.Span.From, an.q.Span.Until
	var things []string
	for _, d := range an.scene.Schedule() {
		if d.Within(from, until) {
			things = append(things, an.dated(d))
		}
	}
	if len(things) > 0 {
		return an.put("day.plans", "when", an.time(from, until), "things", an.listed(things))
	}
	// What some line may tell must not be denied, and the past is answered from quotes alone.
	if quoted := an.fromQuotes(); quoted != "" || !until.After(an.scene.Now) {
		return quoted
	}
	return an.put("day.free", "when", an.time(from, until))
}

// ahead words what is coming up, with the times.
func (co *composer) ahead(most int) (told []string) {
	for _, d := range co.scene.Schedule() {
		switch {
		case len(told) == most:
			return told
		case d.From.IsZero():
			told = append(told, co.dated(d))
		case d.Until.After(co.scene.Now):
			told = append(told, co.dated(d)+" "+co.time(d.From, d.Until))
		}
	}
	return told
}
