package words

import (
	"testing"
)

func TestStemsMeet(t *testing.T) {
	for _, pair := range [][2]string{
		{"painting", "paint"}, {"races", "race"}, {"parties", "party"}, {"running", "run"}, {"Ann's", "Ann"}, {"groups", "group"}, {"danced", "dancing"},
	} {
		if Shared(Content(pair[0]), Content(pair[1])) != 1 {
			t.Errorf("%q and %q do not meet: %v %v", pair[0], pair[1], Content(pair[0]), Content(pair[1]))
		}
	}
	if n := Shared(Content("what did I say about it"), Content("I said that about you")); n != 0 {
		t.Errorf("empty words share %d", n)
	}
}

func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		text, phrase string
		want         bool
	}{
		{"my dog Rex barks", "rex", true}, {"Rex's bowl", "Rex", true}, {"Rexford", "Rex", false}, {"in New York now", "new york", true}, {"anything", "", false},
	} {
		if got := Holds(tt.text, tt.phrase); got != tt.want {
			t.Errorf("holds(%q, %q) = %v", tt.text, tt.phrase, got)
		}
	}
}
