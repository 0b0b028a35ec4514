package scene

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/words"
)

// reflectedShown is how many of each kind are shown.
const reflectedShown = 3

// SelectReflections keeps the observations and lessons that this turn can use.
func (s *Scene) SelectReflections() {
	if len(s.Observations)+len(s.Lessons) == 0 {
		return
	}
	said := words.Content(s.Question())
	for word := range words.Content(s.Person.Name + " " + reflectedFrame) {
		delete(said, word)
	}
	recent := func(m model.Memory) bool { return s.Now.Sub(m.Created) <= NoticedWithin }
	always := func(model.Memory) bool { return true } // a lesson holds until it is dropped
	s.Observations = bearing(slices.DeleteFunc(s.Observations, s.inFrontOf), said, recent)
	s.Lessons = bearing(s.Lessons, said, always)
}

// inFrontOf reports whether a memory was recalled or is an observation of the greeting.
func (s *Scene) inFrontOf(m model.Memory) bool {
	return slices.ContainsFunc(s.Recall.Items, func(item recall.Item) bool { return item.MemoryID == m.ID }) ||
		s.Greeting != nil && slices.ContainsFunc(s.Greeting.Observed, func(o model.Memory) bool { return o.ID == m.ID })
}

// bearing returns the memories that share content with the message, the greatest overlap first, then those worth
// showing by themselves.
func bearing(made []model.Memory, said words.Set, anyway func(model.Memory) bool) []model.Memory {
	names := func(m model.Memory) int { return words.SharedWith(said, m.Text) }
	made = slices.DeleteFunc(made, func(m model.Memory) bool { return !anyway(m) && names(m) == 0 })
	slices.SortStableFunc(made, func(a, b model.Memory) int { return cmp.Compare(names(b), names(a)) })
	return made[:min(len(made), reflectedShown)]
}

// reflectedFrame are the fixed words in which jobs write; an overlap in these does not count.
const reflectedFrame = "tends talk feeling lately begun used longer comes back put right once next time ask take granted"

// Question returns the text being answered, to compare memories with.
func (s Scene) Question() string {
	texts := make([]string, len(s.Incoming))
	for i, l := range s.Incoming {
		texts[i] = l.Text
	}
	return words.Cut(strings.Join(texts, "\n"), QueryLimit)
}

// QueryLimit bounds a search query, in runes. The meaning of a message is in its beginning, and a message of a megabyte
// must not become a query of a megabyte.
const QueryLimit = 2000

// NoticedWithin is how old an observation or milestone may be to count as recent. A project choice.
const NoticedWithin = 14 * 24 * time.Hour

// Inferred returns the items of the scene that a job wrote and no person said, as context of a reply.
func (s Scene) Inferred() (items []recall.Item) {
	add := func(id int64, text, why string) {
		if id != 0 {
			items = append(items, recall.Item{MemoryID: id, Why: why, Lines: []model.SnippetLine{{Text: text}}})
		}
	}
	for _, e := range s.Episodes {
		add(e.ID, e.Text, "earlier in this talk")
	}
	add(s.LastTalk.ID, s.LastTalk.Text, "the talk before")
	for _, m := range s.Observations {
		add(m.ID, m.Text, "noticed")
	}
	for _, m := range s.Lessons {
		add(m.ID, m.Text, "a lesson")
	}
	if n := s.WebNote; n != nil && !slices.ContainsFunc(s.Recall.Items, func(item recall.Item) bool { return item.MemoryID == n.ID }) {
		add(n.ID, n.String(), "read on the web")
	}
	return items
}
