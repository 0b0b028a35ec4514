package belief_test

import (
	"testing"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// TestTheLatestOfEqualPlansMatches checks it with generic words, whose small weights must not depend on the order in
// which they are added.
func TestTheLatestOfEqualPlansMatches(t *testing.T) {
	open := []model.Loop{{ID: 1, Text: "dentist appointment booking session"}, {ID: 2, Text: "dentist session booking appointment"}}
	for range 200 {
		if got := belief.MatchLoop(open, understand.Claim{Value: "dentist", Changed: true}); got.ID != 2 {
			t.Fatalf("matched plan %d, want 2", got.ID)
		}
	}
}
