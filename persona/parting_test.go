package persona_test

import (
	"strings"
	"testing"
)

// TestAFormerPartnerIsNoPartner: after a separation in any wording, no answer names the former partner as the partner.
func TestAFormerPartnerIsNoPartner(t *testing.T) {
	for _, told := range []string{"Jonas and I broke up.", "I broke up with Jonas", "Jonas and I aren't together anymore", "Jonas and I have split up", "My boyfriend and I broke up"} {
		s := play(t, nil)
		s.say("ann", "My boyfriend is called Jonas")
		s.say("ann", told)
		if said := s.say("ann", "who is my boyfriend?"); strings.Contains(said, "is called Jonas") || strings.Contains(said, "together with Jonas") {
			t.Errorf("%q is answered with %q", told, said)
		}
		for _, b := range append(s.beliefs("person_name:boyfriend"), s.beliefs("together_with")...) {
			if b.Status == "active" {
				t.Errorf("%q leaves %+v", told, b)
			}
		}
		s.say("ann", "My new boyfriend is called Emil")
		if said := s.say("ann", "what's my boyfriend's name?"); !strings.Contains(said, "Emil") || strings.Contains(said, "Jonas") {
			t.Errorf("%q, then another: %q", told, said)
		}
	}
}
