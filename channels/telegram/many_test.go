package telegram

import (
	"testing"
	"time"
)

// TestAPollAsksForAsManyAsCanBeStoredInTime: under load the batches shrink, and grow again afterwards.
func TestAPollAsksForAsManyAsCanBeStoredInTime(t *testing.T) {
	for _, tc := range []struct {
		many, brought int
		took          time.Duration
		want          int
	}{
		{100, 100, 4 * time.Millisecond, 100},
		{100, 100, 50 * time.Millisecond, 50},
		{50, 50, 50 * time.Millisecond, 25},
		{25, 25, time.Second, 20},
		{20, 20, time.Second, 20},
		{20, 20, 4 * time.Millisecond, 40},
		{80, 80, 4 * time.Millisecond, 100},
		{40, 40, 8 * time.Millisecond, 40},
		{40, 3, time.Millisecond, 40}, // no more updates were available
	} {
		if got := nextBatchSize(tc.many, tc.brought, tc.took); got != tc.want {
			t.Errorf("after %d of %d stored in %s: asks for %d, want %d", tc.brought, tc.many, tc.took, got, tc.want)
		}
	}
}
