package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/recall"
)

// TestAWithdrawnWishIsNoLongerAnInstruction: the line with the wish is no longer in the prompt.
func TestAWithdrawnWishIsNoLongerAnInstruction(t *testing.T) {
	for _, tt := range []struct{ asks, withdraws string }{
		{"Call me Captain", "Stop calling me Captain"},
		{"Please always call me Captain", "call me Skipper"},
	} {
		t.Run(tt.withdraws, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", tt.asks)
			s.clock.Advance(time.Minute)
			s.say("ann", tt.withdraws)
			s.clock.Advance(24 * time.Hour)
			s.say("ann", "What is the melting point of tungsten?")
			h, err := s.store.Log.Visibility(t.Context(), "tess", 1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.store.Recall.Find(t.Context(), h, recall.Query{Text: "tungsten", Asker: 1, Now: s.clock.Now(), Budget: 1000, Limit: 8})
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range r.Items {
				if item.Why == "standing instruction" && strings.Contains(item.Lines[0].Text, tt.asks) {
					t.Errorf("still a standing instruction: %q", item.Lines[0].Text)
				}
			}
		})
	}
}
