package recent

import "testing"

func TestTheLastResultsAreKept(t *testing.T) {
	computed := 0
	of := Texts(2, 3, func(text string) string {
		computed++
		return text + "!"
	})
	for _, step := range []struct {
		text     string
		computed int
	}{
		{"a", 1},
		{"a", 1},
		{"b", 2},
		{"c", 3}, // a and b are the older ones now
		{"a", 3},
		{"d", 4}, // a was asked for again and is kept, unlike b
		{"a", 4},
		{"b", 5},
		{"long", 6},
		{"long", 7},
	} {
		if got := of(step.text); got != step.text+"!" || computed != step.computed {
			t.Fatalf("%s: %q after %d computations, want %d", step.text, got, computed, step.computed)
		}
	}
}
