package persona_test

import (
	"strings"
	"testing"
	"time"
)

// TestAnAgeIsThatOfToday: an age from a birth date or an earlier statement has grown when someone asks years later.
func TestAnAgeIsThatOfToday(t *testing.T) {
	const years = 365 * 24 * time.Hour
	tests := []struct {
		told  []string
		later time.Duration
		want  string
	}{
		{[]string{"I was born on 3 March 1990"}, 0, "36 years old"},
		{[]string{"My birthday is March 3, 1990"}, 2 * years, "38 years old"},
		{[]string{"I was born in 1990"}, 0, "35 or 36"},
		{[]string{"I'm 34"}, 0, "34 years old"},
		{[]string{"I'm 34"}, 3*years + 100*24*time.Hour, "37 or 38"},
		{[]string{"I'm 34", "My birthday is on 3 March"}, 2 * years, "36 years old"},
	}
	for _, tt := range tests {
		s := play(t, nil)
		s.clock.Set(time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC))
		for _, told := range tt.told {
			s.say("ann", told)
		}
		s.clock.Advance(tt.later)
		if got := s.say("ann", "How old am I?"); !strings.Contains(got, tt.want) {
			t.Errorf("%q, %s later: %q, want %q", tt.told, tt.later, got, tt.want)
		}
	}
}
