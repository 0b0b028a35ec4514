package recent

import (
	"strconv"
	"testing"
)

func TestTheLastResultsAreKept(t *testing.T) {
	computed := 0
	c := New(2, func(key int) string {
		computed++
		return strconv.Itoa(key)
	})
	for _, step := range []struct{ key, computed int }{
		{1, 1}, {1, 1}, {2, 2}, {3, 3}, // 1 and 2 are the older ones now
		{1, 3}, {4, 4}, // 1 was asked for again and is kept, unlike 2
		{1, 4}, {2, 5},
	} {
		if got := c.Get(step.key); got != strconv.Itoa(step.key) || computed != step.computed {
			t.Fatalf("%d: %q after %d computations, want %d", step.key, got, computed, step.computed)
		}
	}
}
