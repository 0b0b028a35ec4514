package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// watched is a stage whose model repeats its whole prompt, so that whatever is in a prompt is seen.
func watched(t *testing.T) (s *stage, seen func(word string, m channels.Message) bool) {
	t.Helper()
	var prompt string
	s = play(t, func(p *persona.Parts) {
		m := llm.Answering(func(p prompts.Prompt) string {
			prompt = p.System
			for _, m := range p.Messages {
				prompt += "\n" + m.Text
			}
			return "Well."
		})
		p.Voice = modelvoice.NewVoice(m, modelvoice.Meter{Store: p.Store, Persona: p.Card.Key, Now: p.Now}, 0, 0)
	})
	return s, func(word string, m channels.Message) bool {
		t.Helper()
		prompt = ""
		answer := s.answer(m)
		if prompt == "" {
			t.Fatal("no model was asked")
		}
		return strings.Contains(prompt+answer, word)
	}
}

// S4: what is said in a direct talk is never spoken in a group unless the person shared it, and no more once it is private.
func TestSharedMemoriesAreSpokenInTheGroupUntilTheyArePrivate(t *testing.T) {
	s, seen := watched(t)
	ask := func(who string) bool {
		s.clock.Advance(2 * time.Hour)
		return seen("zq7z", s.group(who, "@tess What is the name of ann's ferret? What does ann keep?", true))
	}
	s.say("ann", "My ferret is called zq7z.")
	s.answer(s.group("ann", "@tess I like the garden.", true))
	s.answer(s.group("bob", "@tess I like the pond.", true))
	if ask("bob") || ask("ann") {
		t.Fatal("it was seen in the group before it was shared")
	}
	number := s.number("ann", "zq7z")
	if said := s.say("bob", "/share "+number); !strings.Contains(said, "no memory") || strings.Contains(said, "zq7z") {
		t.Errorf("bob shares ann's: %q", said)
	}
	if said := s.say("ann", "/share "+number+" in The group"); !strings.Contains(said, "Shared") {
		t.Fatalf("/share says %q", said)
	}
	if !ask("bob") {
		t.Error("it is not seen in the group though it is shared")
	}
	if !seen("zq7z", s.message("ann", "What is my ferret called?")) {
		t.Error("it is gone from her own room")
	}
	if said := s.say("ann", "/private "+number); !strings.Contains(said, "private") {
		t.Errorf("/private says %q", said)
	}
	if ask("bob") || ask("ann") {
		t.Error("it is seen in the group though it is private")
	}
	if seen("zq7z", s.message("bob", "What is ann's ferret called?")) {
		t.Error("bob sees it in his own room")
	}
	if !seen("zq7z", s.message("ann", "What is my ferret called?")) {
		t.Error("it is gone from her own room")
	}
}

func TestWhatWasSaidInAGroupBecomesPrivate(t *testing.T) {
	s, seen := watched(t)
	s.say("ann", "Hello there.")
	s.answer(s.group("ann", "@tess My ferret is called zq8z.", true))
	s.answer(s.group("bob", "@tess I like the pond.", true))
	if !seen("zq8z", s.group("bob", "@tess What is ann's ferret called?", true)) {
		t.Fatal("it is not seen in the group where it was said")
	}
	if said := s.say("ann", "/private last"); !strings.Contains(said, "private") {
		t.Fatalf("/private last says %q", said)
	}
	for range 2 { // in the running talk, and in a new one
		if seen("zq8z", s.group("bob", "@tess What is ann's ferret called?", true)) {
			t.Error("it is still seen in the group")
		}
		s.clock.Advance(3 * time.Hour)
	}
	if seen("zq8z", s.message("bob", "What is ann's ferret called?")) {
		t.Error("bob sees it in his own room")
	}
	if !seen("zq8z", s.message("ann", "What is my ferret called?")) {
		t.Error("she does not see it in her own room")
	}
	if s.say("ann", "/forget "+s.number("ann", "zq8z")); s.recalls("ann", "zq8z") {
		t.Error("it cannot be forgotten")
	}
}

func TestS12ForgettingWhatWasSharedForgetsBoth(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I keep a ferret.")
	s.answer(s.group("ann", "@tess I like the garden.", true))
	s.answer(s.group("bob", "@tess I like the pond.", true))
	s.say("ann", "/share "+s.number("ann", "ferret"))
	if !s.recalls("bob", "ferret") {
		t.Fatal("bob does not hear what is shared with his group")
	}
	s.say("ann", "/forget "+s.number("ann", "ferret"))
	if s.recalls("ann", "ferret") || s.recalls("bob", "ferret") {
		t.Error("one of them is left")
	}
}

func TestACorrectionTakesBackWhatWasShared(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I keep a ferret.")
	s.answer(s.group("ann", "@tess I like the garden.", true))
	s.answer(s.group("bob", "@tess I like the pond.", true))
	number := s.number("ann", "ferret")
	s.say("ann", "/share "+number)
	s.say("ann", "/correct "+number+" I keep a heron.")
	if s.recalls("bob", "ferret") || s.recalls("bob", "heron") || !s.recalls("ann", "heron") {
		t.Error("the new text was shared, or the old one stayed")
	}
}

func TestSharingAsksWhereAndRefusesWhatItCannot(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I keep a ferret.")
	number := s.number("ann", "ferret")
	if said := s.say("ann", "/share "+number); !strings.Contains(said, "no group") {
		t.Errorf("without a group: %q", said)
	}
	for _, title := range []string{"Garden", "Choir"} {
		m := s.group("ann", "@tess hello all", true)
		m.Room.ID, m.RoomTitle = title, title
		s.answer(m)
	}
	for ask, want := range map[string]string{
		"/share " + number: "In which group", "/share " + number + " in Nowhere": "In which group", "/share": "/share NUMBER", "/share -1": "no memory",
		"/share 99999999999999999999": "/share NUMBER", "/private": "/private NUMBER", "/private 424242": "no memory",
	} {
		if said := s.say("ann", ask); !strings.Contains(said, want) {
			t.Errorf("%s: %q", ask, said)
		}
	}
	if said := s.say("ann", "/share "+number+" in garden"); !strings.Contains(said, "Garden") || strings.Contains(said, "Choir") {
		t.Errorf("in garden: %q", said)
	}
}
