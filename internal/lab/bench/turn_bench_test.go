package bench

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkLongMessage measures the turn of one message of 1 MB that ends a short talk: many lines of talk, the same
// without a space, and marks alone.
func BenchmarkLongMessage(b *testing.B) {
	const size, before = 1 << 20, 7
	for name, line := range map[string]func(*rand.Rand) string{
		"talk":  func(rng *rand.Rand) string { return smallTalk(rng) + " " },
		"solid": func(rng *rand.Rand) string { return strings.ReplaceAll(smallTalk(rng), " ", "") },
		"marks": func(*rand.Rand) string { return "?!. " },
	} {
		b.Run(name, func(b *testing.B) {
			var text strings.Builder
			for rng := rand.New(rand.NewPCG(1, 1)); text.Len() < size; {
				text.WriteString(line(rng))
			}
			var sum float64
			for b.Loop() {
				said := 0
				report, err := turnsSaying(b.Context(), testParts(), before+1, 1, func(rng *rand.Rand) string {
					if said++; said <= before {
						return smallTalk(rng)
					}
					return text.String()[:size]
				})
				if err != nil {
					b.Fatal(err)
				}
				sum += report.TurnMS.P99 // the longest of the few
			}
			b.ReportMetric(sum/float64(b.N), "ms/message")
		})
	}
}
