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

func TestParaphraseWorth(t *testing.T) {
	east, north := []float32{1, 0}, []float32{0, 1}
	for name, c := range map[string]struct {
		first, second [][]float32
		want          float64
	}{
		"each its own":     {[][]float32{east, north}, [][]float32{east, north}, 1},
		"all alike":        {[][]float32{east, east}, [][]float32{east, east}, 0},
		"the other's":      {[][]float32{east, north}, [][]float32{north, east}, 0},
		"nothing to judge": {nil, nil, 0},
	} {
		if got := ParaphraseWorth(c.first, c.second); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if len(Paraphrases("ja")) != len(Paraphrases("en")) || &Paraphrases("de")[0] == &Paraphrases("en")[0] {
		t.Error("a language without pairs is not judged in English, or German is")
	}
}
