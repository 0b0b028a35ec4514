// Package embed connects the store and an embedding model: it embeds pending memories, and embeds queries within the
// time limit of a recall.
package embed

import "familiar/memory"

// Embedder computes vectors with one model.
type Embedder = memory.Embedder
