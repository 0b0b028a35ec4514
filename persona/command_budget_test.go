package persona_test

import (
	"strings"
	"testing"
)

// TestBudgetShowsEverySlice asks for it of a persona without a model, which shows what a model would have had.
func TestBudgetShowsEverySlice(t *testing.T) {
	s := play(t, nil)
	if got := s.say("ann", "/budget"); !strings.Contains(got, "said nothing here yet") {
		t.Errorf("/budget before the first word says %q", got)
	}
	s.say("ann", "My dog is called Rex.")
	s.say("ann", "What is my dog called?")
	first := s.say("ann", "/budget")
	for _, want := range []string{"\n  safety ", "\n  persona ", "\n  state ", "\n  recall ", "\n  talk ", "\n  together ", " of  ", "without a model"} {
		if !strings.Contains(first, want) {
			t.Errorf("nothing of %q in\n%s", want, first)
		}
	}
	if again := s.say("ann", "/budget"); again != first {
		t.Errorf("asked again it says\n%s\nafter\n%s", again, first)
	}
	if why := s.say("ann", "/why"); !strings.Contains(why, "Context in tokens: safety ") {
		t.Errorf("/why says\n%s", why)
	}
}
