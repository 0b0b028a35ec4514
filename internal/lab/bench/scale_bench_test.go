package bench

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkColdRecall measures the first recall of a scope, which reads the whole scope, by size. It includes opening
// and closing the store.
func BenchmarkColdRecall(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			parts := testParts()
			path := filepath.Join(b.TempDir(), "familiar.db")
			talk := newCorpus()
			messages := talk.next(n)
			if _, err := fillStore(b.Context(), parts, path, messages); err != nil {
				b.Fatal(err)
			}
			question, last := []string{talk.question(messages)}, messages[n-1]
			var size ScaleSize
			b.ReportAllocs()
			for b.Loop() {
				if err := askStore(b.Context(), parts.Card.Key, path, last, question, &size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
