package scene

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"

	"familiar/persona/lore"
	"familiar/persona/macro"
)

// WithCard returns the scene with the placeholders of its card filled. The same scene always gets the same values.
func (s Scene) WithCard() Scene {
	if s.Card != nil {
		s.Card = s.Card.Filled(s.macros())
	}
	return s
}

// macros returns what the placeholders of the card stand for in this scene.
func (s *Scene) macros() macro.Values {
	h := fnv.New64a()
	for _, l := range s.Incoming {
		h.Write([]byte(l.Text)) //nolint:errcheck // a hash takes everything
	}
	random := rand.New(rand.NewPCG(h.Sum64(), uint64(s.Now.UnixNano()))) //nolint:gosec // it chooses words
	called := cmp.Or(s.Address, s.Person.Name)
	if IsPlaceholder(called) {
		called = ""
	}
	return macro.Values{
		Char: s.Card.Called(), User: macro.Name(called, "you"), Now: s.Now, Random: random.IntN,
		Pick: macro.Stable(s.Card.Key + strconv.FormatInt(s.Person.ID, 10)),
	}
}

// FiredLore returns the entries of the card's lorebook that fire for what is said, within budget tokens, 0 for no other
// bound than the book's.
func (s *Scene) FiredLore(budget int) lore.Result {
	if s.Card == nil || s.Card.Sheet.Lore == nil {
		return lore.Result{}
	}
	values := s.macros()
	in := lore.Input{New: len(s.Incoming), Greeting: s.openedWith(), Budget: budget, Expand: values.Expand, Chance: func() int { return values.Random(100) }}
	for _, l := range slices.Concat(s.Recent, s.Incoming) {
		in.Messages = append(in.Messages, lore.Message{Text: l.Text, Self: l.Self})
	}
	return s.Card.Sheet.Lore.Fire(in)
}

// openedWith returns which of the card's first messages the talk began with, -1 if none is known.
func (s *Scene) openedWith() int {
	first := s.WithCard().Card.Sheet.FirstMessages
	if s.Greeting != nil && len(s.Recent) == 0 {
		return s.Opening(first)
	}
	for _, l := range s.Recent {
		if i := slices.Index(first, l.Text); l.Self && i >= 0 {
			return i
		}
	}
	return -1
}

// Opening returns which of the openings greets: the first somebody new, the others in turn those who return; -1 if there is
// none.
func (s *Scene) Opening(openings []string) int {
	g := s.Greeting
	switch {
	case g == nil || g.Proactive || len(openings) == 0:
		return -1
	case g.First:
		return 0
	case len(openings) == 1:
		return -1 // a first message would begin the story again
	}
	return 1 + g.Opening%(len(openings)-1)
}
