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

// halved returns the part, 0–1, that is left after some time with a half-life. A time in the future leaves all.
func halved(after, halfLife time.Duration) float64 {
	return math.Exp2(-max(after.Hours(), 0) / halfLife.Hours())
}

// clamp returns x limited to low and high. NaN becomes low.
func clamp(x, low, high float64) float64 {
	if math.IsNaN(x) {
		return low
	}
	return min(max(x, low), high)
}

// sortedKeys returns the keys of a map in order, for deterministic results.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
