package recall

import (
	"math"
	"testing"

	"familiar/memory/understand"
)

func TestKindsFitTheirBits(t *testing.T) {
	if understand.Kinds > maxKinds {
		t.Errorf("%d kinds of facts, but %d bits", understand.Kinds, maxKinds)
	}
}

func TestRarity(t *testing.T) {
	for _, c := range []struct {
		seen, depth, all int
		want             float64
	}{
		{1, 100, 100, 1},
		{100, 100, 100, 0.002},
		{10, 100, 100, 0.501},
		{100, 1000, 100_000, 0.2}, // one in ten
		{1, 1, 1, 1},
	} {
		if got := float64(rarity(c.seen, c.depth, c.all)); math.Abs(got-c.want) > 0.001 {
			t.Errorf("rarity(%d, %d, %d) = %.4f, want %.4f", c.seen, c.depth, c.all, got, c.want)
		}
	}
}

// TestKeepTelling ranks ten candidates, of which some tell what is asked, and keeps five.
func TestKeepTelling(t *testing.T) {
	for tells, want := range map[string]string{
		"0000000000": "01234",
		"0000010000": "01235",
		"0000010001": "01259",
		"0001100001": "01934",
		"1111111111": "01234",
	} {
		ranked := make([]candidate, len(tells))
		for i := range ranked {
			ranked[i].id, ranked[i].tells = int64(i), tells[i] == '1'
		}
		keepTelling(ranked, 5)
		got := ""
		for _, c := range ranked[:5] {
			got += string(rune('0' + c.id))
		}
		if got != want {
			t.Errorf("%s: kept %s, want %s", tells, got, want)
		}
	}
	keepTelling([]candidate{{tells: true}}, 5)
}
