package persona_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// S12: people see what would be forgotten, say yes, and get a receipt; then no byte of it is left.

// tells lets somebody say several things, a time apart.
func (s *stage) tells(who string, apart time.Duration, lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		s.say(who, line)
		s.clock.Advance(apart)
	}
}

// recalls reports whether /memory of somebody has a word.
func (s *stage) recalls(who, word string) bool {
	s.t.Helper()
	return strings.Contains(s.say(who, "/memory"), word)
}

func TestS12ForgettingByATimeAsksFirst(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", 3*time.Hour, "I keep a ferret")
	s.tells("bob", time.Minute, "I keep a heron")
	s.tells("ann", 10*time.Minute, "I have an exam on Friday", "my sister lives in Faro")
	asked := s.say("ann", "/forget last hour")
	if !strings.Contains(asked, "2 memories") || !strings.Contains(asked, "exam") || !strings.Contains(asked, "Faro") || strings.Contains(asked, "ferret") {
		t.Errorf("it would forget %q", asked)
	}
	if !s.recalls("ann", "exam") {
		t.Error("it was forgotten before a yes")
	}
	if receipt := s.say("ann", "/forget yes"); !strings.Contains(receipt, "2 memories") || !strings.Contains(receipt, "2 messages") {
		t.Errorf("the receipt says %q", receipt)
	}
	if s.recalls("ann", "exam") || s.recalls("ann", "Faro") || !s.recalls("ann", "ferret") || !s.recalls("bob", "heron") {
		t.Error("something else was forgotten")
	}
	if again := s.say("ann", "/forget yes"); !strings.Contains(again, "Nothing waits") {
		t.Errorf("a second yes: %q", again)
	}
}

func TestS12ForgettingByWordsTakesOnlyOnesOwn(t *testing.T) {
	s := play(t, nil)
	group := func(who, text string) string {
		m := s.message(who, text)
		m.Room.ID, m.RoomTitle, m.Direct = "club", "Club", false
		return s.answer(m)
	}
	group("ann", "My night shift at the harbour ends at six.")
	group("bob", "My night shift at the harbour ends at eight.")
	if asked := group("ann", "/forget night shift"); strings.Contains(asked, "eight") {
		t.Fatalf("bob's words would go: %q", asked)
	}
	s.say("ann", "My night shift at the harbour starts at nine.")
	asked := s.say("ann", "/forget night shift")
	if !strings.Contains(asked, "nine") || strings.Contains(asked, "eight") {
		t.Fatalf("it would forget %q", asked)
	}
	s.say("bob", "/forget yes") // another person's yes is none
	if !s.recalls("ann", "nine") {
		t.Error("somebody else's yes was taken")
	}
	s.say("ann", "/forget yes")
	if s.recalls("ann", "nine") || !s.recalls("bob", "eight") {
		t.Error("ann's is still there, or bob's is gone")
	}
}

func TestS12AYesComesInTimeAndANoIsHeard(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "I keep a ferret")
	for _, then := range []func(){
		func() { s.clock.Advance(11 * time.Minute) },
		func() { s.say("ann", "/forget no") },
	} {
		if asked := s.say("ann", "/forget my ferret"); !strings.Contains(asked, "/forget yes") {
			t.Fatalf("it does not ask: %q", asked)
		}
		then()
		if late := s.say("ann", "/forget yes"); !strings.Contains(late, "Nothing waits") || !s.recalls("ann", "ferret") {
			t.Errorf("it was forgotten: %q", late)
		}
	}
	for _, what := range []string{"/forget the moon landing", "/forget yesterday"} {
		if said := s.say("ann", what); !strings.Contains(said, "told me nothing of that") {
			t.Errorf("%s: %q", what, said)
		}
	}
}

func TestS12ManyAreListedInShort(t *testing.T) {
	s := play(t, nil)
	for i := range 20 {
		s.tells("ann", time.Second, fmt.Sprintf("my plant number %d is a fern", i))
	}
	asked := s.say("ann", "/forget today")
	if !strings.Contains(asked, "20 memories") || !strings.Contains(asked, "and 8 more") {
		t.Errorf("it lists %q", asked)
	}
	if receipt := s.say("ann", "/forget yes"); !strings.Contains(receipt, "20 m") {
		t.Errorf("the receipt says %q", receipt)
	}
	if s.recalls("ann", "fern") {
		t.Error("some are left")
	}
}

// TestS12AYesForgetsWhatIsLeft has one of the listed memories gone before the yes.
func TestS12AYesForgetsWhatIsLeft(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "I keep a ferret", "I keep a heron")
	s.say("ann", "/forget last hour")
	s.say("ann", "/forget "+s.number("ann", "heron"))
	if receipt := s.say("ann", "/forget yes"); !strings.Contains(receipt, "Forgotten") || s.recalls("ann", "ferret") {
		t.Errorf("it says %q", receipt)
	}
}
