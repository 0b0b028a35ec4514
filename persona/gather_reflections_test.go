package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/plain"
)

// infer stores an inference from a private message.
func (s *stage) infer(of model.Person, kind model.Kind, text string, source int64) {
	s.t.Helper()
	done, err := s.store.Lifecycle.Infer(s.t.Context(), "tess", 1, []lifecycle.Inference{{
		Audience: model.Audience{Kind: model.Private, Ref: of.ID}, Kind: kind, Sector: model.Reflective, Text: text, Salience: 0.8,
		Sources: []int64{source}, About: []int64{of.ID},
	}})
	if err != nil || done.Memories != 1 {
		s.t.Fatalf("%s: %+v, %v", text, done, err)
	}
}

// TestInferencesReachOrdinaryTurns checks the scene in the middle of a conversation: recent
// observations, relevant ones of any age, and lessons.
func TestInferencesReachOrdinaryTurns(t *testing.T) {
	voice := &shown{Voice: plain.New()}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	for range 3 { // observations need a relationship
		s.say("ann", "I mend church organs for a living.")
		s.close(1)
	}
	ann, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	s.infer(ann, model.Observation, "ann tends to talk about their orchard on Sundays.", 1)
	s.clock.Advance(60 * 24 * time.Hour)
	s.infer(ann, model.Observation, "ann comes back to chess again and again.", 1)
	s.infer(ann, model.Lesson, "ann has put me right about where they live more than once. Next time I ask before I take it for granted.", 1)
	s.say("ann", "hello")

	for _, c := range []struct {
		name, text string
		room       channels.Room
		want, not  []string
	}{
		{"about nothing of it", "It rained all day.", channels.Room{}, []string{"noticed, nobody said so: ", "chess", "lesson: ", "put me right"}, []string{"orchard"}},
		{"about the old one", "My orchard is full of apples.", channels.Room{}, []string{"about their orchard on Sundays", "chess"}, nil},
		{"in a group", "My orchard is full of apples.", channels.Room{Channel: "desk", ID: "club"}, nil, []string{"Sundays", "chess", "put me right"}},
	} {
		m := s.message("ann", c.text)
		if c.room.ID != "" {
			m.Room, m.Direct = c.room, false
		}
		voice.prompt = ""
		s.answer(m)
		for _, want := range c.want {
			if !strings.Contains(voice.prompt, want) {
				t.Errorf("%s: %q is not in front of the voice:\n%s", c.name, want, voice.prompt)
			}
		}
		for _, not := range c.not {
			if strings.Contains(voice.prompt, not) {
				t.Errorf("%s: %q is in front of the voice:\n%s", c.name, not, voice.prompt)
			}
		}
	}
}

// TestRecentMilestonesReachTheVoice plays ten conversations.
func TestRecentMilestonesReachTheVoice(t *testing.T) {
	voice := &shown{Voice: plain.New()}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	for range 10 {
		s.say("ann", "I mend church organs for a living.")
		s.close(1)
	}
	const reached = "reached together: I have talked with ann ten times."
	if s.say("ann", "It rained all day."); !strings.Contains(voice.prompt, reached) {
		t.Errorf("not in front of the voice:\n%s", voice.prompt)
	}
	m := s.message("ann", "It rained all day.")
	m.Room, m.Direct = channels.Room{Channel: "desk", ID: "club"}, false
	if s.answer(m); strings.Contains(voice.prompt, "reached together") {
		t.Errorf("in a group the voice is given:\n%s", voice.prompt)
	}
	s.clock.Advance(15 * 24 * time.Hour)
	if s.say("ann", "It rained again."); strings.Contains(voice.prompt, "reached together") {
		t.Errorf("weeks later the voice is given:\n%s", voice.prompt)
	}
}
