package tokens_test

import (
	"strings"
	"testing"

	"familiar/internal/tokens"
)

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
