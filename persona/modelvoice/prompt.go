package modelvoice

import (
	"cmp"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/scene"
	"familiar/persona/words"
	"familiar/prompts"
)

// ReplyInput converts a scene into the input of a prompt of budget tokens, 0 for the default. Each thing is shown once:
// as a wish, an open item or a fact, and only what none of them says in the words of its author.
func ReplyInput(s scene.Scene, budget int) prompts.ReplyInput {
	s = s.WithCard()
	k := known(s)
	in := prompts.ReplyInput{
		Budget: budget, Card: s.Card.Prompt(), Now: s.Now, Direct: s.Direct, RoomTitle: s.RoomTitle,
		Person: prompts.Person{
			Name: nameOf(s), Address: s.Address, Language: chosenLanguage(s), Stage: s.Stage, Style: s.Style,
			Met: inZoneOf(s.Relationship.FirstMet, s.Now), Sessions: s.Relationship.Sessions,
			Timeline: s.Timeline,
		},
		Notepad: s.Notepad, Mood: s.Mood, AfterFallback: s.AfterFallback, Spoken: spoken(s), Undelivered: s.Undelivered, Episodes: promptEpisodes(s), Goals: promptGoals(s),
		Milestones: notes(s.Milestones), Observations: memoryEntries(s.Observations, s), Lessons: memoryEntries(s.Lessons, s),
		Preferences: k.wishes(), Loops: k.loops(),
		ToAnswer: entries(s.Incoming, s), Recent: entries(s.Recent, s),
	}
	in.Card.Sheet = sheet(s, budget)
	if s.UnknownTerm != nil {
		in.UnknownTerm = s.UnknownTerm.Text
	}
	if s.WebNote != nil {
		in.Web = s.WebNote.String()
	}
	in.Facts, in.Bearing = k.facts()
	once := k.once()
	k.addPortrait(&in, once)
	in.Confirm = k.toConfirm()
	k.addRecalled(&in, once)
	k.addArrival(&in)
	addCare(&in, s)
	in.NothingFound = k.asksInVain(in)
	return in
}

// chosenLanguage returns the name of the language that the person wants to be answered in, "" for none.
func chosenLanguage(s scene.Scene) string {
	if s.Person.Language == "" {
		return ""
	}
	return card.LanguageName(s.Person.Language)
}

// addRecalled adds what was recalled, as far as nothing else says it.
func (k *knowledge) addRecalled(in *prompts.ReplyInput, once *shownOnce) {
	s := k.scene
	for _, e := range in.Preferences {
		once.add(e.Text)
	}
	for _, said := range words.Sentences(in.Portrait) {
		once.add(said)
	}
	for _, f := range slices.Concat(in.Facts, in.Bearing) {
		once.add(f.Text)
	}
	for _, l := range in.Loops {
		once.add(l.Text)
	}
	once.addTalk(s.Recent)
	var bearing []recall.Item
	for _, item := range s.Recall.Items {
		if s.WebNote != nil && item.MemoryID == s.WebNote.ID { // it has a line of its own
			continue
		}
		switch item.Why {
		case recall.WhyStanding:
			for _, r := range once.passages(k, []recall.Item{item}) {
				in.Preferences = append(in.Preferences, r.Lines...)
			}
		case recall.WhyPinned:
			in.Pinned = append(in.Pinned, passage(item, s).Lines...)
		default:
			bearing = append(bearing, item)
		}
	}
	if !s.Recall.Nothing || len(k.filed) == 0 { // where nothing is filed, what is said near may tell more than nothing
		in.Recalled = once.passages(k, bearing)
	}
	in.Recalled = append(in.Recalled, byDay(once.passages(k, s.Earlier))...)
	text := s.LastTalk.Text
	if k.readWhole(s.LastTalk.ID) {
		text = once.left(recalledText{words.WithoutQuotedLines(text), 0, s.LastTalk.Created, true}) // what mattered of them is filed
	}
	if text != "" {
		in.LastConversation = prompts.Entry{Note: true, Text: text, At: inZoneOf(s.LastTalk.Created, s.Now)}
		once.add(text)
	}
	if g := s.Greeting; g != nil {
		for _, r := range once.memories(k, g.Instructions) {
			in.Preferences = append(in.Preferences, r.Lines...)
		}
		in.Recalled = append(in.Recalled, once.memories(k, g.Recalled)...)
	}
}

// addArrival adds what a greeting needs.
func (k *knowledge) addArrival(in *prompts.ReplyInput) {
	s, g := k.scene, k.scene.Greeting
	if g == nil {
		return
	}
	in.Arrival = &prompts.Arrival{First: g.First, Proactive: g.Proactive, Since: g.Since}
	in.Observations = append(in.Observations, memoryEntries(g.Observed, s)...)
}

// asksInVain reports whether the messages ask for something told, and nothing in the prompt bears on it.
func (k *knowledge) asksInVain(in prompts.ReplyInput) bool {
	s := k.scene
	if !s.Recall.Nothing || len(in.Recalled) > 0 {
		return false
	}
	var asked []string
	for _, l := range s.Incoming {
		if q := l.Parsed.Question; q != nil && (s.Relationship.Sessions > 1 || asksForFact(q)) {
			asked = append(asked, l.Text)
		}
	}
	topic := content(strings.Join(asked, " "))
	if len(topic) == 0 {
		return false
	}
	bears := func(text string) bool { return words.Shared(topic, content(text)) > 0 }
	return !slices.ContainsFunc(in.Facts, func(f prompts.Fact) bool { return bears(f.Text) }) &&
		!slices.ContainsFunc(in.Loops, func(l prompts.Loop) bool { return bears(l.Text) }) &&
		!slices.ContainsFunc(s.Recent, func(l scene.Line) bool { return bears(l.Text) })
}

// asksForFact reports whether a question asks for one fact: a relation, a place, a time, a person or a number.
func asksForFact(q *understand.Question) bool {
	return len(q.Relations) > 0 || q.Before || q.All || q.Where || q.When || q.Who || q.HowMany
}

// notes returns the program's own texts as entries.
func notes(texts []string) (out []prompts.Entry) {
	for _, text := range texts {
		out = append(out, prompts.Entry{Note: true, Text: text})
	}
	return out
}

func promptEpisodes(s scene.Scene) (out []prompts.Episode) {
	for _, e := range s.Episodes {
		out = append(out, prompts.Episode{From: inZoneOf(e.From, s.Now), Until: inZoneOf(e.Until, s.Now), Text: e.Text})
	}
	return out
}

// entries converts lines of the talk. Somebody without a name on their network is called as they want to be.
func entries(lines []scene.Line, s scene.Scene) (out []prompts.Entry) {
	for _, l := range lines {
		name := l.Name
		if l.PersonID == s.Person.ID && scene.IsPlaceholder(name) {
			name = cmp.Or(s.Address, name)
		}
		out = append(out, prompts.Entry{Name: name, Self: l.Self, Text: l.Text, At: inZoneOf(l.At, s.Now)})
	}
	return out
}

// nameOf returns the name of the person as the network has it, or else as they want to be called.
func nameOf(s scene.Scene) string {
	if scene.IsPlaceholder(s.Person.Name) {
		return s.Address
	}
	return s.Person.Name
}

// passage converts a packed item. A line without an author is the persona's own if it was said in a room. Otherwise it
// is a note: the operator's lore or the text of a job.
func passage(item recall.Item, s scene.Scene) prompts.Recalled {
	r := prompts.Recalled{Room: item.Room}
	for _, l := range item.Lines {
		r.Lines = append(r.Lines, prompts.Entry{
			Name: l.Author, Self: l.PersonID == 0 && l.MessageID != 0, Note: l.PersonID == 0 && l.MessageID == 0,
			Text: l.Text, At: inZoneOf(l.At, s.Now),
		})
	}
	return r
}

func memoryEntries(memories []model.Memory, s scene.Scene) (out []prompts.Entry) {
	for _, m := range memories {
		out = append(out, prompts.Entry{
			Name: m.Author, Note: m.AuthorID == 0, Text: m.Text, At: inZoneOf(m.Created, s.Now),
		})
	}
	return out
}

// asksBefore reports whether the messages ask for an earlier value.
func asksBefore(heard []scene.Line) bool {
	return slices.ContainsFunc(heard, func(l scene.Line) bool { return l.Parsed.Question != nil && l.Parsed.Question.Before })
}

// promptGoals returns the goals for the prompt. One of them is asked about when someone returns and nothing else is
// due.
func promptGoals(s scene.Scene) (out []prompts.Goal) {
	ask, due := scene.GoalToAskAfter(s.Goals, s.Now)
	due = due && s.Greeting != nil && len(s.Greeting.Loops) == 0
	for _, g := range s.Goals {
		out = append(out, prompts.Goal{
			Text: g.Text, Last: inZoneOf(g.Last, s.Now), Steps: g.Steps, Stale: scene.GoalOf(g).Stale(s.Now), Ask: due && g.ID == ask.ID,
		})
	}
	return out
}

// spoken reports whether something to answer was spoken.
func spoken(s scene.Scene) bool {
	return slices.ContainsFunc(s.Incoming, func(l scene.Line) bool { return channels.IsSpoken(l.Text) })
}
