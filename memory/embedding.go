package memory

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/lifecycle"
	"familiar/memory/recall"
)

// Embedder computes vectors with one model. An Embedder is optional: recall works by words and by concepts without one.
type Embedder interface {
	// Model identifies the model and its provider. Vectors of different models are never compared.
	Model() string
	// Embed returns a vector for each text, in order, all of the same length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// EmbedWaiting embeds all memories that have no vector of the embedder's model, at most batch in one request; 64 when batch
// is 0. Each batch is stored when it is done, and the next call continues after it, however this one ends. A text that
// the embedder refuses is retried by later calls until it is given up. It fails if the embedder fails as a whole. Changing
// the model embeds everything again.
func (s *Store) EmbedWaiting(ctx context.Context, e Embedder, batch int) (total lifecycle.EmbeddingCounts, err error) {
	run := embedding{e, batch}
	if run.batch <= 0 {
		run.batch = defaultBatch
	}
	if err := s.Entries.UseEmbedder(ctx, e.Model()); err != nil {
		return total, err
	}
	for {
		waiting, err := s.Lifecycle.EmbeddingBacklog(ctx, run.batch)
		if err != nil {
			return total, err
		}
		if len(waiting) == 0 {
			return total, s.Lifecycle.MaintainVectors(ctx, run.inBatches)
		}
		done, err := run.embed(ctx, waiting)
		if err != nil {
			return total, err
		}
		kept, err := s.Lifecycle.SaveVectors(ctx, e.Model(), done)
		if err != nil {
			return total, err
		}
		total.Vectors += kept.Vectors
		total.Refused += kept.Refused
		total.GivenUp += kept.GivenUp
	}
}

// EmbedText returns the vector of one text.
func EmbedText(ctx context.Context, e Embedder, text string) (*recall.QueryEmbedding, error) {
	vectors, err := embedding{e, 1}.ask(ctx, text)
	if err != nil {
		return nil, err
	}
	return &recall.QueryEmbedding{Model: e.Model(), Vector: vectors[0]}, nil
}

// defaultBatch is how many texts one request has.
const defaultBatch = 64

// embedding is an embedder with the number of texts that it takes at once.
type embedding struct {
	Embedder
	batch int
}

// embed embeds a batch. If that fails, a test with a harmless word shows whether the embedder or a text is the cause:
// in the first case embed returns the error; in the second it embeds each text separately, and each carries its own
// error.
func (e embedding) embed(ctx context.Context, waiting []lifecycle.EmbeddingTask) ([]lifecycle.EmbeddingResult, error) {
	done := make([]lifecycle.EmbeddingResult, len(waiting))
	texts := make([]string, len(waiting))
	for i, w := range waiting {
		done[i].EmbeddingTask, texts[i] = w, w.Input()
	}
	vectors, cause := e.ask(ctx, texts...)
	if cause == nil {
		for i, v := range vectors {
			done[i].Vector = v
		}
		return done, nil
	}
	if _, err := e.ask(ctx, "hello"); err != nil || ctx.Err() != nil {
		return nil, cause
	}
	for i, w := range waiting {
		vectors, err := e.ask(ctx, w.Input())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if done[i].Err = err; err == nil {
			done[i].Vector = vectors[0]
		}
	}
	return done, nil
}

// ask makes one request and checks that it returns one vector for each text.
func (e embedding) ask(ctx context.Context, texts ...string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("embed with %s: it returned %d vectors for %d texts", e.Model(), len(vectors), len(texts))
	}
	return vectors, err
}

// inBatches makes as many requests as texts need.
func (e embedding) inBatches(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	for batch := range slices.Chunk(texts, e.batch) {
		some, err := e.ask(ctx, batch...)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, some...)
	}
	return vectors, nil
}
