package plain

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/card"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// answerer answers one question.
type answerer struct {
	*composer
	line scene.Line
	q    understand.Question
}

// first returns the first text that a function has.
func first(funcs ...func() string) string {
	for _, try := range funcs {
		if said := try(); said != "" {
			return said
		}
	}
	return ""
}

// reply answers from the best source: the card, the clock and the talk itself, what is known of the persona, then what was
// told. If nothing was said about it, it says so.
func (an answerer) reply() string {
	an.place()
	return first(an.fromCard, an.fromIntent, an.aboutSelf, an.fromTold, an.fromSheet, an.unknown)
}

// fromTold answers with what is planned, with a line that surely answers, or with what is believed. A belief comes before the line if
// it is newer, or if it was read from its clause: two readings then agree.
func (an answerer) fromTold() string {
	if asksPersona(an.line.Text, an.q) {
		return first(an.fromQuotes, func() string { return an.put("self.other") }) // "what should you not talk about with me?"
	}
	if said := an.aboutPlans(); said != "" {
		return said
	}
	found, sure := an.find()
	quote := func() string { return an.quoted(found) }
	switch {
	case !sure:
		return an.fromBeliefs()
	case an.q.Before || an.q.All || an.q.Who || an.agrees(found):
		return first(an.fromBeliefs, quote)
	}
	return quote()
}

// agrees reports whether a belief that answers is newer than the likeliest line, or was read from its clause, or was read from it and
// holds no more.
func (an answerer) agrees(f finding) bool {
	a, s := f.ranked[0], f.best()
	read := func(e model.Evidence) bool {
		return s.Lore || e.MessageID != 0 && e.MessageID == s.MessageID || e.Quote != "" && strings.Contains(s.Text, e.Quote)
	}
	return slices.ContainsFunc(append(an.scene.Answering(an.q, false), an.scene.Answering(an.q, true)...), func(b model.Belief) bool {
		if b.Status != model.Active {
			return words.Holds(s.Text, b.Value)
		}
		return slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool {
			return e.At.After(s.At) || read(e) && words.Holds(s.Text[a.Start:a.End], b.Value)
		})
	})
}

// place resolves whom the question is about: "what do you know about eva?" of a sister, or oneself by one's own name.
func (an *answerer) place() {
	q := &an.q
	if scene.SameName(q.Subject, an.scene.Person.Name) || scene.SameName(q.Subject, an.scene.Address) {
		q.Subject = ""
	}
	for _, b := range an.scene.Beliefs {
		if (q.Subject == "" || q.Subject == "you") && len(q.Relations) == 0 && b.Status == model.Active && q.About != "" && an.scene.NamesKin(b, q.About) {
			q.Subject = b.Value
		}
	}
	if q.About == "" {
		q.About = an.line.Text
	}
}

// fromCard answers with the card's answer to exactly these words, "" if it has none or has just used it.
func (an answerer) fromCard() string {
	said := words.Tokens(an.line.Text)
	return character{an.composer}.example(func(e card.Example) bool { return len(said) > 0 && words.Same(said, e.Person) })
}

// fromSheet answers a question about neither person nor persona with what the card tells of their world: "what's the name of
// the bar?"
func (an answerer) fromSheet() string {
	if an.asksOfSelf() || an.q.Subject != "" && !an.scene.Card.Tells(an.q.Subject) {
		return ""
	}
	return character{an.composer}.fromStory(an.line.Text, false)
}

func (an answerer) aboutSelf() string { return character{an.composer}.aboutSelf(an.line.Text, an.q) }

// fromIntent answers questions that need no memory: about the time, the talk itself, or nothing at all.
func (an answerer) fromIntent() string {
	intent := an.tongue.intentOf(an.line.Text)
	switch {
	case slices.Contains(an.q.Relations, rel.Wish):
		intent = "about.wishes"
	case len(an.q.Relations) == 0 && !an.q.Who && scene.SameName(an.q.About, an.scene.Person.Name):
		intent = "about.me" // "tell me about Ann", says Ann
	}
	switch intent {
	case "clock.time":
		return an.put(intent, "time", an.scene.Now.Format("15:04"))
	case "clock.day":
		return an.put(intent, "date", an.scene.Now.Format("Monday, 2 January 2006"))
	case "talk.again":
		if an.lastSaid == "" {
			return ""
		}
		return an.put(intent, "quote", strings.NewReplacer("“", "‘", "”", "’").Replace(an.lastSaid))
	case "talk.last", "talk.list":
		most := map[string]int{"talk.last": 1, "talk.list": overviewFactsBrief}[intent]
		quotes := an.lastQuotes(most, func(s scene.Source) bool { return s.Memory == 0 })
		return an.fill(intent, "quotes", quotes, "talk.none")
	case "met.first", "met.last":
		return an.met(intent)
	case "goals":
		return an.goals()
	case "about.me", "about.more":
		return overview{an.composer}.aboutPerson(intent == "about.more")
	case "about.wishes":
		return overview{an.composer}.wishesTold()
	case "prompt", "drop", "request", "request.remind", "jest", "mean":
		return an.put(intent)
	}
	return ""
}

// met answers since when the two know each other or when they talked before, in direct rooms.
func (an answerer) met(intent string) string {
	day, g := an.scene.Relationship.FirstMet, an.scene.Greeting
	switch {
	case !an.scene.Direct:
		return ""
	case day.IsZero() || g != nil && g.First:
		return an.put("met.now")
	case intent == "met.last" && g != nil:
		day = an.scene.Now.Add(-g.Since)
	case intent == "met.last":
		day = an.scene.Now.Add(-time.Minute)
	}
	return an.put(intent, "day", an.day(day))
}

// goals answers what the person's goals are, "" if none is known. Those told in the running session are not yet tracked.
func (an answerer) goals() string {
	told := map[bool][]string{}
	for _, g := range an.scene.Goals {
		stale := scene.GoalOf(g).Stale(an.scene.Now)
		told[stale] = append(told[stale], an.turned(g.Text))
	}
	for _, line := range an.scene.Recent {
		for _, g := range line.Analysis().Goals {
			if an.scene.IsOwn(line) && !slices.Contains(told[false], an.turned(g.Text)) {
				told[false] = append(told[false], an.turned(g.Text))
				an.use(0, line.MessageID)
			}
		}
	}
	key, goals := "goals.are", told[false]
	if len(goals) == 0 {
		key, goals = "goals.were", told[true]
	}
	return an.fill(key, "goals", goals[:min(len(goals), plansListed)], "")
}

// unknown says that no one told the persona. In a group it says only that, so that it does not deny what was said elsewhere; of
// what is about neither the person nor the persona nor anyone they know it says that it only knows what it is told.
func (an answerer) unknown() string {
	near := func(w string) bool { return words.OwnWords.Has(w) || an.tongue.lists["here"].Has(w) }
	key := "unknown"
	switch {
	case an.foreign:
		key = "foreign"
	case !an.scene.Direct:
		key = "unknown.here"
	case len(an.q.Relations) == 0 && an.q.Subject == "" && an.tongue.english() && !slices.ContainsFunc(words.Tokens(an.line.Text), near):
		key = "world"
	}
	return an.put(key)
}

// overview tells people what is known about them and what they asked of the persona.
type overview struct{ *composer }

// overviewFacts is how many facts are listed about someone, overviewFactsBrief where it should be short.
const overviewFacts, overviewFactsBrief = 8, 3

// aboutPerson answers what is known about the person: their facts, then what is ahead and what others told. more asks
// for what was not said yet. If nothing was read, it quotes them.
func (ov overview) aboutPerson(more bool) string {
	most := overviewFacts
	if ov.brief() || !ov.scene.Direct {
		most = overviewFactsBrief
	}
	var parts []string
	if facts := ov.facts(most, more); len(facts) > 0 {
		parts = append(parts, ov.put("overview.facts", "facts", ov.joined(facts)))
	} else if more {
		return ov.put("overview.all")
	}
	if ov.scene.Direct && !more {
		parts = append(parts, ov.fill("overview.loops", "things", ov.ahead(overviewFactsBrief), ""))
		var heard []model.Belief // what one other person said
		for _, b := range ov.scene.Beliefs {
			of := b.Status == model.Active && ov.scene.Owns(b) && ov.scene.SecondHand(b) && !scene.SpokenElsewhere.Has(b.Relation)
			if of && len(heard) < overviewFactsBrief && (len(heard) == 0 || b.Author == heard[0].Author) {
				heard = append(heard, b)
			}
		}
		if ov.useBeliefs(heard...); len(heard) > 0 {
			parts = append(parts, ov.put("overview.heard", "who", heard[0].Author, "facts", ov.listed(ov.composer.facts(heard))))
		}
	}
	if said := strings.TrimSpace(strings.Join(parts, " ")); said != "" {
		return said
	}
	return ov.fill("overview.quotes", "quotes", ov.lastQuotes(overviewFactsBrief, func(s scene.Source) bool { return !ov.refused(s.Text, ov.seed) }), "overview.none")
}

// facts returns the facts about the person, their own statements first, with the values of a relation joined. With more
// set, it returns only what was not just said.
func (ov overview) facts(most int, more bool) (facts []string) {
	done := maps.Clone(scene.SpokenElsewhere)
	own := slices.DeleteFunc(slices.Clone(ov.scene.Beliefs), func(b model.Belief) bool {
		return b.Status != model.Active || !ov.scene.Owns(b) || ov.scene.SecondHand(b) || ov.scene.Doubtful(b)
	})
	slices.SortStableFunc(own, func(a, b model.Belief) int { return cmp.Compare(rel.Rank(a.Relation), rel.Rank(b.Relation)) })
	for _, b := range own {
		if done.Has(b.Relation) || len(facts) == most {
			continue
		}
		done[b.Relation] = true
		same := slices.DeleteFunc(slices.Clone(own), func(o model.Belief) bool { return o.Relation != b.Relation })
		if fact := ov.composer.facts(same)[0]; !more || !strings.Contains(ov.lastSaid, fact) {
			ov.useBeliefs(same...)
			facts = append(facts, fact)
		}
	}
	return facts
}

// lastQuotes quotes the last lines that the person told, of those that fit, the latest last.
func (co *composer) lastQuotes(most int, fits func(scene.Source) bool) (quotes []string) {
	for _, s := range slices.Backward(co.sources()) {
		told := s.Own && !words.AsksOnly(s.Text) && len(words.Content(s.Text)) > 1 && co.tongue.intentOf(s.Text) == ""
		if told && fits(s) && len(quotes) < most {
			co.use(s.Memory, s.MessageID)
			quotes = append(quotes, "“"+words.ExcerptAbout(s.Text, nil)+"”")
		}
	}
	slices.Reverse(quotes)
	return quotes
}

// wishesTold answers what the person asked of the persona.
func (ov overview) wishesTold() string {
	var asked []string
	for _, w := range ov.scene.Wishes() {
		w = strings.TrimRight(words.Excerpt(w), "!")
		if !slices.ContainsFunc(asked, func(a string) bool { return words.Holds(strings.ToLower(a), strings.ToLower(w)) }) {
			asked = append(asked, "“"+w+"”")
		}
	}
	return ov.fill("wishes.list", "wishes", asked, "wishes.none")
}
