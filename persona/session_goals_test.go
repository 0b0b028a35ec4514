package persona_test

import (
	"slices"
	"testing"
	"time"

	"familiar/memory/turns"
	"familiar/persona/mind"
)

// practised returns the results of a skill in all ended sessions.
func (s *stage) practised(skill mind.Skill) (successes int) {
	s.t.Helper()
	all, err := s.store.Turns.Practice(s.t.Context(), "tess", time.Time{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range all {
		if p.Skill == string(skill) {
			successes += p.Successes
		}
	}
	return successes
}

// TestAnEndedSessionCountsItsGoals ends sessions before the job that follows goals has read them.
func TestAnEndedSessionCountsItsGoals(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I want to write a novel.")
	s.close(1)
	if s.practised(mind.Encouraging) != 0 {
		t.Error("a goal that was only told was encouraged")
	}
	s.nightfall() // the goal is known from here on
	s.say("ann", "My novel keeps me up at night.")
	s.say("ann", "I finished my novel!")
	s.close(4)
	if s.practised(mind.Encouraging) != 1 {
		t.Error("nobody was there when the goal was reached")
	}
	milestones := s.left(2).Milestones
	if !slices.ContainsFunc(milestones, func(m turns.Milestone) bool { return m.Kind == string(mind.FirstAchievement) }) {
		t.Errorf("milestones %+v", milestones)
	}

	s.say("bob", "I'm training for a marathon.")
	s.say("bob", "I finished the marathon!")
	s.close(5)
	if s.practised(mind.Encouraging) != 2 {
		t.Error("nobody was there when a goal of the very talk was reached")
	}
}
