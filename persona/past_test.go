package persona_test

import (
	"strings"
	"testing"
)

// TestPastStatementsAreNotCurrent: "I used to live in Riga" answers where someone used to live, and nothing else.
func TestPastStatementsAreNotCurrent(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I used to live in Riga")
	if said := s.say("ann", "Where did I use to live?"); !strings.Contains(said, "Riga") {
		t.Errorf("where it used to be: %q", said)
	}
	if said := s.say("ann", "Where do I live?"); strings.Contains(said, "you live in Riga") {
		t.Errorf("where it is: %q", said)
	}
	past := s.beliefs("lives_in")
	if len(past) != 1 || past[0].Status == "active" || !past[0].ValidTo.IsZero() {
		t.Fatalf("believed: %+v", past)
	}
	s.say("ann", "I live in Oslo")
	if said := s.say("ann", "Where did I live before?"); !strings.Contains(said, "Riga") || !strings.Contains(said, "Oslo") {
		t.Errorf("where it was before: %q", said)
	}
}

// TestGivingUpAKindGivesUpItsMembers: people rarely retract a liking in the words they stated it in.
func TestGivingUpAKindGivesUpItsMembers(t *testing.T) {
	for _, told := range []string{"I've gone off jazz", "I've given up jazz", "I don't like jazz any more"} {
		s := play(t, nil)
		s.say("ann", "I love old jazz records")
		s.say("ann", "I love jazz dance classes")
		s.say("ann", told)
		if said := s.say("ann", "What do I like?"); strings.Contains(said, "records") || !strings.Contains(said, "jazz dance classes") {
			t.Errorf("%q, then what is liked: %q", told, said)
		}
	}
}
