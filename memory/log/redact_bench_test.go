package log

import "testing"

// everyday is a message of 46 words.
const everyday = "Morning! I slept badly again because the neighbours had people over until two, so I passed on the gym and made " +
	"pancakes with Milo instead. Dentist at 10:30 on Tuesday, remind me please. Also Priya said the new flat is £1,250 a month, " +
	"which is honestly more than I hoped for."

func BenchmarkRedactEveryday(b *testing.B) {
	b.SetBytes(int64(len(everyday)))
	for b.Loop() {
		Redact(everyday)
	}
}
