package mind

import "testing"

func TestCues(t *testing.T) {
	for _, tt := range []struct {
		text                      string
		turns, concludes, reminds bool
	}{
		{"By the way, my dog is ill", true, false, false},
		{"Ok, so anyway: what about Friday?", true, false, false},
		{"I did it anyway", false, false, false},
		{"I'm Ann by the way", false, false, false},
		{"Thanks, that worked!", false, true, false},
		{"It worked out badly for the workers", false, false, false},
		{"I already told you his name", false, false, true},
		{"Don’t you remember?", false, false, true},
		{"", false, false, false},
		{"…", false, false, false},
	} {
		if a, b, c := turnsAway(tt.text), concludes(tt.text), remindsOfTelling(tt.text); a != tt.turns || b != tt.concludes || c != tt.reminds {
			t.Errorf("%q: turns %v, concludes %v, reminds %v", tt.text, a, b, c)
		}
	}
}
