package mind

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// saturate maps a count to 0–1 on the curve 1 − e^(−n/scale).
func saturate(n int, scale float64) float64 {
	return 1 - math.Exp(-float64(max(n, 0))/scale)
}

// halved returns what is left, 0–1, of something after some time, half of it after each half-life. A time ahead
// leaves all.
func halved(after, halfLife time.Duration) float64 {
	return math.Exp2(-max(after.Hours(), 0) / halfLife.Hours())
}

// clamp returns x within low and high; a figure that is no number is low.
func clamp(x, low, high float64) float64 {
	if math.IsNaN(x) {
		return low
	}
	return min(max(x, low), high)
}

// sortedKeys returns the keys of a map in order, for what must come out the same every time.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
