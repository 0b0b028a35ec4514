package mind_test

import (
	"math/rand/v2"
	"testing"

	"familiar/persona/mind"
)

// each returns n messages of the given number of tokens.
func each(n, tokens int) []int {
	messages := make([]int, n)
	for i := range messages {
		messages[i] = tokens
	}
	return messages
}

func TestFold(t *testing.T) {
	at := func(places ...int) (cuts []mind.Boundary) {
		for _, p := range places {
			cuts = append(cuts, mind.Boundary{At: p, Strength: 0.6})
		}
		return cuts
	}
	for _, tt := range []struct {
		name         string
		messages     []int
		used, budget int
		cuts         []mind.Boundary
		want         int
	}{
		{"nothing said", nil, 900, 1000, nil, 0},
		{"under 60 %", each(100, 5), 599, 1000, at(60), 0},
		{"60 %", each(100, 6), 600, 1000, nil, 60},
		{"84 %", each(100, 8), 840, 1000, nil, 60},
		{"85 %", each(100, 8), 850, 1000, nil, 92},
		{"no more than all but eight", each(12, 50), 600, 1000, nil, 4},
		{"eight and full", each(8, 200), 1600, 1000, nil, 0},
		{"no budget", each(100, 5), 500, 0, nil, 0},
		{"an episode just before", each(100, 6), 600, 1000, at(30, 58), 58},
		{"an episode just after", each(100, 6), 600, 1000, at(62), 62},
		{"the further of two", each(100, 6), 600, 1000, at(58, 62), 62},
		{"too far", each(100, 6), 600, 1000, at(50, 64), 60},
		{"never into the last eight", each(100, 8), 900, 1000, at(93, 94), 92},
		{"one long message, then short ones", append([]int{900}, each(20, 1)...), 920, 1500, nil, 1},
	} {
		if got := mind.CompactUntil(tt.messages, tt.used, tt.budget, tt.cuts); got != tt.want {
			t.Errorf("%s: compacts %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestFoldProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		messages := make([]int, rng.IntN(80))
		used := rng.IntN(200)
		for i := range messages {
			messages[i] = rng.IntN(120)
			used += messages[i]
		}
		var cuts []mind.Boundary
		for range rng.IntN(6) {
			cuts = append(cuts, mind.Boundary{At: rng.IntN(90)})
		}
		budget := rng.IntN(8000)
		fold := mind.CompactUntil(messages, used, budget, cuts)
		if float64(used) < 0.6*float64(budget) && fold != 0 {
			t.Fatalf("compacts %d at %d of %d", fold, used, budget)
		}
		if kept := len(messages) - fold; fold < 0 || fold > 0 && kept < mind.KeptMessages {
			t.Fatalf("compacts %d of %d messages", fold, len(messages))
		}
	}
}
