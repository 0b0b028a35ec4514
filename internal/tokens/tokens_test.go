package tokens_test

import (
	"strings"
	"testing"

	"familiar/internal/tokens"
)

// TestFits checks that Fits agrees with Estimate, also for the densest and the sparsest text at its limit.
func TestFits(t *testing.T) {
	for _, sign := range []string{"a", "\xff", "é", "我", "👩"} {
		for n := range 200 {
			text := strings.Repeat(sign, n)
			size := tokens.Estimate(text)
			for _, limit := range []int{-1, 0, size - 1, size, size + 1} {
				if got := tokens.Fits(text, limit); got != (size <= limit) {
					t.Fatalf("%d times %q, %d tokens, fits %d: %t", n, sign, size, limit, got)
				}
			}
		}
	}
}

// TestEstimateAll checks that texts are estimated as their concatenation, however they are cut.
func TestEstimateAll(t *testing.T) {
	runes := []rune("Ann: my dog Rex 我的狗叫雷克斯 est né à Lyon 👩")
	for i := range runes {
		for j := i; j < len(runes); j++ {
			a, b, c := string(runes[:i]), string(runes[i:j]), string(runes[j:])
			if got, want := tokens.EstimateAll(a, b, c), tokens.Estimate(a+b+c); got != want {
				t.Fatalf("%q, %q and %q have %d tokens, together they have %d", a, b, c, got, want)
			}
		}
	}
	if got := tokens.EstimateAll("", ""); got != 0 {
		t.Errorf("nothing has %d tokens", got)
	}
}

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		text     string
		min, max int
	}{
		{"", 0, 0},
		{"a", 1, 1},
		{"Rex is a good dog.", 4, 7},
		{"我的狗叫雷克斯", 7, 7},
		{strings.Repeat("word ", 1000), 1000, 1500},
	} {
		if got := tokens.Estimate(c.text); got < c.min || got > c.max {
			t.Errorf("Estimate(%.20q) = %d, want %d to %d", c.text, got, c.min, c.max)
		}
	}
}
