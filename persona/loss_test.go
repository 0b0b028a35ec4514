package persona_test

import (
	"strings"
	"testing"
)

// TestADeathIsAcknowledgedAndRemembered: the news is met with sympathy, and later answers use the past tense.
func TestADeathIsAcknowledgedAndRemembered(t *testing.T) {
	for _, told := range [][]string{
		{"My dog is called Rex", "We lost Rex last night"},
		{"My dog is called Rex", "Rex passed away yesterday"},
		{"My dog is called Rex", "my dog died last night"},
	} {
		s := play(t, nil)
		answer := ""
		for _, line := range told {
			answer = s.say("ann", line)
		}
		if !strings.Contains(answer, "sorry") || strings.Contains(answer, "called Rex") {
			t.Errorf("%q is answered with %q", told, answer)
		}
		for _, asked := range []string{"What's my dog's name?", "Do I have any pets?", "Who is Rex?"} {
			if said := s.say("ann", asked); !strings.Contains(said, "was") || !strings.Contains(said, "Rex") || !strings.Contains(said, "died") {
				t.Errorf("%q, then %q: %q", told, asked, said)
			}
		}
		dog := s.beliefs("pet_name:dog")
		if len(dog) != 1 || dog[0].Status == "active" || dog[0].ValidTo.IsZero() || dog[0].SupersededBy == 0 {
			t.Errorf("%q leaves the dog as %+v", told, dog)
		}
	}
}
