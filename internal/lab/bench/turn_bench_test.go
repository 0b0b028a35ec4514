package bench

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkLongMessage measures a turn whose message has 1 MB: one long line of talk, and the same without a space.
func BenchmarkLongMessage(b *testing.B) {
	const size = 1 << 20
	for name, line := range map[string]func(*rand.Rand) string{
		"talk":  func(rng *rand.Rand) string { return smallTalk(rng) + " " },
		"solid": func(rng *rand.Rand) string { return strings.ReplaceAll(smallTalk(rng), " ", "") },
		"marks": func(rng *rand.Rand) string { return "?!. " },
	} {
		b.Run(name, func(b *testing.B) {
			said := func(rng *rand.Rand) string {
				var text strings.Builder
				for text.Len() < size {
					text.WriteString(line(rng))
				}
				return text.String()[:size]
			}
			report, err := turnsSaying(b.Context(), testParts(), 12, 1, said)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(report.TurnMS.P50, "ms/turn")
			b.ReportMetric(report.TurnMS.P99, "ms/worst")
		})
	}
}
