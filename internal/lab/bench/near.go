package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"familiar/internal/embed"
	"familiar/memory"
	"familiar/memory/recall"
)

// near returns the embedding of a question that the person called asker asks, nil without an embedder.
type near func(ctx context.Context, asker, question string) (*recall.QueryEmbedding, error)

const (
	// embedBatch is the number of texts per request and embedWithin the timeout of a request.
	embedBatch  = 64
	embedWithin = time.Minute
)

// nearIn embeds everything in store, as the serving process would, and returns the function that embeds questions. Any
// embedder error ends the benchmark, which would otherwise measure something else.
func nearIn(ctx context.Context, store *memory.Store, e embed.Embedder) (near, error) {
	if e == nil {
		return func(context.Context, string, string) (*recall.QueryEmbedding, error) { return nil, nil }, nil
	}
	drain := embed.Worker{
		Store: store, Embedder: e, Batch: embedBatch, Timeout: embedWithin, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	done, err := drain.EmbedOnce(ctx)
	if err == nil && done.Refused > 0 {
		err = fmt.Errorf("embed the messages: %s", done)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, asker, question string) (*recall.QueryEmbedding, error) {
		vectors, err := e.Embed(ctx, []string{recall.EmbeddedQuestion(asker, question)})
		if err != nil {
			return nil, err
		}
		return &recall.QueryEmbedding{Model: e.Model(), Vector: vectors[0]}, nil
	}, nil
}
