package embed

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"unicode"
)

// Hash is an embedder that knows nothing of meaning: it only counts words. It stands in for a model in tests, and in
// benchmarks it is the one that must not make recall worse.
type Hash struct {
	// Dimensions is how many numbers a vector has, at least 1.
	Dimensions int
}

// Model is "hash" and the number of dimensions.
func (h Hash) Model() string { return fmt.Sprintf("hash %d", h.Dimensions) }

// Embed returns the Vector of each text.
func (h Hash) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = h.Vector(text)
	}
	return vectors, ctx.Err()
}

// Vector is a text as a vector of length 1, always the same: each word counts in the dimension its hash falls into, so
// that texts with words in common lie close. A text without words lies along the first axis.
func (h Hash) Vector(text string) []float32 {
	counts := make([]float64, h.Dimensions)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(word)) // a hash takes everything
		counts[sum.Sum32()%uint32(h.Dimensions)]++
	}
	if len(words) == 0 {
		counts[0] = 1
	}
	square := 0.0
	for _, n := range counts {
		square += n * n
	}
	vector := make([]float32, h.Dimensions)
	for i, n := range counts {
		vector[i] = float32(n / math.Sqrt(square))
	}
	return vector
}
