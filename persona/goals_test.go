package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/jobs"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// nightfall ends idle sessions and runs the jobs.
func (s *stage) nightfall() {
	s.t.Helper()
	s.clock.Advance(time.Hour)
	night := jobs.Deps{Parts: s.engine.Parts}
	if _, err := s.engine.Sessions().CloseIdleOnce(s.t.Context(), 1, s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
	if _, err := night.GoalsOnce(s.t.Context(), memorytest.BeginRun(s.t, s.engine.Store, s.engine.Card.Key, "goals"), s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
	if _, err := night.CuriosityOnce(s.t.Context(), memorytest.BeginRun(s.t, s.engine.Store, s.engine.Card.Key, "curiosity"), s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
}

func TestPeopleCanAskForTheirGoals(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I want to write a novel.")
	if told := s.say("ann", "What are my goals?"); !strings.Contains(told, "writing a novel") {
		t.Errorf("at once: %q", told)
	}
	s.nightfall()
	if told := s.say("ann", "What am I working on?"); !strings.Contains(told, "writing a novel") {
		t.Errorf("the next day: %q", told)
	}
	if told := s.say("bob", "What are my goals?"); strings.Contains(told, "novel") {
		t.Errorf("sent bob %q", told)
	}
	s.clock.Advance(30 * 24 * time.Hour)
	s.nightfall()
	if told := s.say("ann", "What are my goals?"); !strings.Contains(told, "while") || !strings.Contains(told, "writing a novel") {
		t.Errorf("a month later: %q", told)
	}
}

func TestAGoalIsAskedAboutWhenNothingIsDue(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I want to write a novel.")
	s.nightfall()
	s.clock.Advance(5 * 24 * time.Hour)
	if said := s.say("ann", "hello"); !strings.Contains(strings.ToLower(said), "writing a novel") || strings.Count(said, "?") != 1 {
		t.Errorf("greeted with %q", said)
	}
	s.say("ann", "I did it")
	s.nightfall()
	if told := s.say("ann", "What are my goals?"); strings.Contains(told, "You're writing a novel") {
		t.Errorf("after it was reached: %q", told)
	}
}

func TestAStaleGoalIsNotAskedAbout(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I want to write a novel.")
	s.nightfall()
	s.clock.Advance(20 * 24 * time.Hour)
	if said := s.say("ann", "hello"); strings.Contains(said, "writing a novel coming") || strings.Contains(said, "going with writing") {
		t.Errorf("greeted with %q", said)
	}
}

// TestCuriosityIsAskedOnceAndAlone has ann use a name in private that she never explained.
func TestCuriosityIsAskedOnceAndAlone(t *testing.T) {
	s := play(t, nil)
	for range 3 {
		s.say("ann", "I had coffee with Milo again.")
		s.clock.Advance(time.Hour)
	}
	s.nightfall()
	club := s.message("ann", "The weather is fine today.")
	club.Room.ID, club.Direct, club.RoomTitle = "club", false, "club"
	if said := s.answer(club); strings.Contains(said, "Milo") {
		t.Errorf("in a group: %q", said)
	}
	asked := 0
	for range 6 {
		if said := s.say("ann", "The weather is fine today."); strings.Contains(said, "what is Milo?") {
			asked++
		}
	}
	if asked != 1 {
		t.Fatalf("asked %d times", asked)
	}
	s.say("ann", "my neighbour from the third floor")
	s.nightfall()
	for range 3 {
		if said := s.say("ann", "A quiet day it was."); strings.Contains(said, "Milo") {
			t.Errorf("asked again: %q", said)
		}
	}
}

func TestNoCuriosityInHardMoments(t *testing.T) {
	s := play(t, nil)
	for range 3 {
		s.say("ann", "I had coffee with Milo again.")
		s.clock.Advance(time.Hour)
	}
	s.nightfall()
	s.say("ann", "I feel so sad today, my mother is ill")
	if said := s.say("ann", "The weather is grey."); strings.Contains(said, "Milo") {
		t.Errorf("asked %q", said)
	}
}

func TestThePromptContainsGoalsAndQuestions(t *testing.T) {
	var prompt string
	s := play(t, func(p *persona.Parts) {
		m := llm.Answering(func(p prompts.Prompt) string {
			prompt = p.Messages[len(p.Messages)-1].Text
			return "Who or what is Milo, then?"
		})
		p.Voice = modelvoice.NewVoice(m, modelvoice.Meter{Store: p.Store, Persona: p.Card.Key, Now: p.Now}, 0, 0)
	})
	s.say("ann", "I want to write a novel.")
	for range 3 {
		s.clock.Advance(time.Hour)
		s.say("ann", "I talked with Bosko about it.")
	}
	s.nightfall()
	s.say("ann", "The weather is fine today.")
	if !strings.Contains(prompt, "their goal, last spoken of on 2026-01-05: writing a novel") {
		t.Errorf("no goal in %s", prompt)
	}
	if !strings.Contains(prompt, "may ask once if it comes naturally: Bosko") {
		t.Errorf("nothing to wonder about in %s", prompt)
	}
}
