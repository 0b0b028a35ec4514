package evidence

import (
	"fmt"
	"testing"
)

// BenchmarkRank ranks lines for a question: those of a running session, and those that recall brings too.
func BenchmarkRank(b *testing.B) {
	lines := told(
		"sold the volvo, bought an e-bike instead. riese & muller", "My sister Beth lives in Rome and works at the opera", "The bus was late again",
		"would it be weird to wear a kilt to my ex's wedding?", "we had lentil soup, then a long walk by the canal until it rained", "ok",
		"the dentist moved my appointment to Friday at three", "Rex ate my left shoe, the good one of course",
	)
	for _, n := range []int{8, 60} {
		var many []Line
		for i := range n {
			many = append(many, lines[i%len(lines)])
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Rank("what do I ride to work these days?", "en", many)
			}
		})
	}
}
