// Package embed stands between the store and whatever turns texts into vectors: it drains what waits for a vector, and
// turns what is asked into one within the time a recall has.
package embed

import "context"

// Embedder turns texts into vectors of one model.
type Embedder interface {
	// Model names the model and who runs it. Vectors of different models are never compared.
	Model() string
	// Embed returns a vector for each text, in order, all with the same number of numbers.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
