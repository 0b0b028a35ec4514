// Package embed connects the store and an embedding model: it embeds pending memories, and embeds queries within the
// time limit of a recall.
package embed

import "context"

// Embedder computes vectors with one model.
type Embedder interface {
	// Model identifies the model and its provider. Vectors of different models are never compared.
	Model() string
	// Embed returns a vector for each text, in order, all of the same length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
