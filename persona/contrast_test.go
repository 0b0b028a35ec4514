package persona_test

import (
	"strings"
	"testing"
)

func TestACorrectionByContrastFindsWhatItCorrects(t *testing.T) {
	for _, correction := range []string{
		"sorry, Fifi, not Bello", "the name's Fifi, not Bello", "it's Fifi not Bello", "Not Bello, it's Fifi!", "No, it's Fifi, not Bello.",
		"not Bello but Fifi", "Fifi rather than Bello",
	} {
		s := play(t, nil)
		s.say("ann", "My dog is called Bello.")
		s.say("ann", "We were at the lake all day.")
		s.say("ann", correction)
		if said := s.say("ann", "What is my dog's name?"); !strings.Contains(said, "Fifi") {
			t.Errorf("after %q: %q", correction, said)
		}
		if said := s.say("ann", "What's my name?"); strings.Contains(said, "Fifi") {
			t.Errorf("after %q the person is called that: %q", correction, said)
		}
	}
}
