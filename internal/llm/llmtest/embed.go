package llmtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strings"
	"unicode"
)

// Embeds answers a request for embeddings with the Vector of each text.
func Embeds(dimensions int) Answer {
	return func(w http.ResponseWriter, r *Request) {
		var rows []string
		for i, text := range r.Input {
			vector, err := json.Marshal(Vector(text, dimensions))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			rows = append(rows, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, vector))
		}
		Sends(http.StatusOK, fmt.Sprintf(`{"object":"list","model":%s,"data":[%s],"usage":{"prompt_tokens":%d,"total_tokens":%d}}`,
			quoted(r.Model), strings.Join(rows, ","), TokensIn, TokensIn))(w, r)
	}
}

// Vector is a text as a vector of length 1, always the same: each word counts in the dimension its hash falls into, so
// that texts with words in common lie close. A text without words lies along the first axis.
func Vector(text string, dimensions int) []float32 {
	counts := make([]float64, dimensions)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		h := fnv.New32a()
		_, _ = h.Write([]byte(word)) // a hash takes everything
		counts[h.Sum32()%uint32(dimensions)]++
	}
	if len(words) == 0 {
		counts[0] = 1
	}
	square := 0.0
	for _, n := range counts {
		square += n * n
	}
	vector := make([]float32, dimensions)
	for i, n := range counts {
		vector[i] = float32(n / math.Sqrt(square))
	}
	return vector
}
