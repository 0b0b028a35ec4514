package modelvoice

import (
	"math/rand/v2"
	"testing"

	"familiar/persona/words"
)

// The index gives the same as comparing a sentence with each text.
func TestWordIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func() words.Set {
		set := words.Set{}
		for range random.IntN(8) {
			set[string(rune('a'+random.IntN(12)))] = true
		}
		return set
	}
	var index wordIndex
	var texts []words.Set
	for range 300 {
		terms, want := some(), 0
		for _, text := range texts {
			want = max(want, words.Shared(text, terms))
		}
		if got := index.most(terms); got != want {
			t.Fatalf("%v shares %d words with one of %v, want %d", terms, got, texts, want)
		}
		texts = append(texts, some())
		index.add(texts[len(texts)-1])
	}
}
