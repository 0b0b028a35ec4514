package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"familiar/internal/embed"
)

// Embeds answers a request for embeddings with the Vector of each text.
func Embeds(dimensions int) Answer {
	return func(w http.ResponseWriter, r *Request) {
		vectors := make([][]float32, len(r.Input))
		for i, text := range r.Input {
			vectors[i] = Vector(text, dimensions)
		}
		Vectors(vectors...)(w, r)
	}
}

// Vectors answers a request for embeddings with these vectors, regardless of the texts.
func Vectors(vectors ...[]float32) Answer {
	return func(w http.ResponseWriter, r *Request) {
		var rows []string
		for i, v := range vectors {
			vector, err := json.Marshal(v)
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

// Vector returns the vector of embed.Hash for text.
func Vector(text string, dimensions int) []float32 {
	return embed.Hash{Dimensions: dimensions}.Vector(text)
}
