package vector

import (
	"slices"
	"testing"

	"familiar/memory/lexical"
)

// TestParaphrasesShareNoWord: otherwise a model that counts words would pass.
func TestParaphrasesShareNoWord(t *testing.T) {
	for language, pairs := range paraphrases {
		if len(pairs) < 16 {
			t.Errorf("%s has %d pairs", language, len(pairs))
		}
		terms := lexical.Named(language)
		for _, p := range pairs {
			for _, term := range terms.Terms(p[0]) {
				if slices.Contains(terms.Terms(p[1]), term) {
					t.Errorf("%s: %q and %q share %q", language, p[0], p[1], term)
				}
			}
		}
	}
}
