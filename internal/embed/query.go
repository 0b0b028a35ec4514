package embed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"familiar/memory/recall"
)

// rest is how long an embedder that failed is not asked again: nobody should wait for it with every message.
const rest = 30 * time.Second

// QueryEmbedder turns what is asked into a vector while somebody waits for the answer. It is safe for concurrent use.
type QueryEmbedder struct {
	Embedder Embedder
	// Within is how long it may take.
	Within time.Duration
	Now    func() time.Time
	Log    *slog.Logger

	mu    sync.Mutex
	until time.Time // rests
}

// EmbedQuery is what text means, nil when the embedder does not say so in time: recall then goes by words alone, which is
// logged, and the embedder is left alone for half a minute.
func (a *QueryEmbedder) EmbedQuery(ctx context.Context, text string) *recall.QueryEmbedding {
	if text == "" || a.resting() {
		return nil
	}
	asking, cancel := context.WithTimeout(ctx, a.Within)
	defer cancel()
	vectors, err := ask(asking, a.Embedder, []string{text})
	if err != nil {
		if ctx.Err() == nil {
			a.restAfter(err)
		}
		return nil
	}
	return &recall.QueryEmbedding{Model: a.Embedder.Model(), Vector: vectors[0]}
}

func (a *QueryEmbedder) resting() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Now().Before(a.until)
}

func (a *QueryEmbedder) restAfter(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.until = a.Now().Add(rest)
	a.Log.Warn("recall goes by words alone", "error", err, "for", rest)
}
