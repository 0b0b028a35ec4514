package embed

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"unicode"
)

// Hash is an embedder that ignores meaning: it only counts words. It replaces a model in tests. In benchmarks it is the
// baseline that must not make recall worse.
type Hash struct {
	// Dimensions is the length of a vector, at least 1.
	Dimensions int
}

// Model returns "hash" and the number of dimensions.
func (h Hash) Model() string { return fmt.Sprintf("hash %d", h.Dimensions) }

// Embed returns the Vector of each text.
func (h Hash) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = h.Vector(text)
	}
	return vectors, ctx.Err()
}

// Vector returns the vector of text, of length 1 and always the same: each word counts in the dimension given by its
// hash, so texts with common words are close. A text without words is on the first axis.
func (h Hash) Vector(text string) []float32 {
	counts := make([]float64, h.Dimensions)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(word)) // a hash accepts any input
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
