package persona_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// factIn returns the number of the listed fact that has a word.
func factIn(list, word string) string {
	found := regexp.MustCompile(`\n  (f\d+)  [^\n]*` + regexp.QuoteMeta(word)).FindStringSubmatch(list)
	if found == nil {
		return ""
	}
	return found[1]
}

func TestMemoryListsFactsFirstAndNoQuestions(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "My dog is called Rex.", "What is my dog called?", "what is my dog called", "I saw a heron at the lake yesterday.")
	got := s.say("ann", "/memory")
	facts, memories := strings.Index(got, "Facts:"), strings.Index(got, "Memories:")
	if facts < 0 || memories < facts || factIn(got, "Rex") == "" {
		t.Errorf("facts do not come first:\n%s", got)
	}
	if strings.Contains(strings.ToLower(got), "what is my dog") {
		t.Errorf("it lists her questions:\n%s", got)
	}
}

func TestMemorySaysHowManyMoreThereAre(t *testing.T) {
	s := play(t, nil)
	for i := range 20 {
		s.tells("ann", time.Second, fmt.Sprintf("The heron number %d flew over the lake", i))
	}
	if got := s.say("ann", "/memory"); !strings.Contains(got, "And 5 memories more") {
		t.Errorf("it says\n%s", got)
	}
}

func TestS12AFactIsForgottenAndCorrectedByItsNumber(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "My dog is called Rex.")
	fact := factIn(s.say("ann", "/memory"), "Rex")
	if said := s.say("bob", "/forget "+fact); !strings.Contains(said, "no fact") {
		t.Errorf("bob's /forget of ann's fact says %q", said)
	}
	if said := s.say("bob", "/correct "+fact+" My dog is called Max."); !strings.Contains(said, "no fact") || strings.Contains(said, "Rex") {
		t.Errorf("bob's /correct of ann's fact says %q", said)
	}
	if said := s.say("ann", "/correct "+fact+" My dog is called Milo."); !strings.Contains(said, "Corrected") {
		t.Errorf("/correct says %q", said)
	}
	got := s.say("ann", "/memory")
	if strings.Contains(got, "Rex") || factIn(got, "Milo") == "" {
		t.Errorf("after the correction it lists\n%s", got)
	}
	s.say("ann", "/forget "+factIn(got, "Milo"))
	if s.recalls("ann", "Milo") {
		t.Error("the fact is still there")
	}
}

func TestS12AFactWithSeveralSourcesIsForgottenAfterAYes(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Hour, "My dog is called Rex.", "My dog is called Rex, you know.")
	asked := s.say("ann", "/forget "+factIn(s.say("ann", "/memory"), "Rex"))
	if !strings.Contains(asked, "2 memories") {
		t.Fatalf("it asks %q", asked)
	}
	if s.say("ann", "/forget yes"); s.recalls("ann", "Rex") {
		t.Error("the fact is still there")
	}
}
