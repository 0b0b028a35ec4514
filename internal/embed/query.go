package embed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"familiar/memory"
	"familiar/memory/recall"
)

// failureRest is how long a failed embedder is not used: people should not wait for it with every message.
const failureRest = 30 * time.Second

// QueryEmbedder embeds queries while somebody waits for the answer. It is safe for concurrent use.
type QueryEmbedder struct {
	Embedder Embedder
	// Timeout limits one query.
	Timeout time.Duration
	Now     func() time.Time
	Log     *slog.Logger

	mu        sync.Mutex
	restUntil time.Time // not used until then
}

// EmbedQuery returns the vector of text, or nil if the embedder does not answer in time. Recall then uses words alone;
// this is logged, and the embedder is not used for half a minute.
func (a *QueryEmbedder) EmbedQuery(ctx context.Context, text string) *recall.QueryEmbedding {
	if text == "" || a.isResting() {
		return nil
	}
	asking, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	near, err := memory.EmbedText(asking, a.Embedder, text)
	if err != nil {
		if ctx.Err() == nil {
			a.restAfter(err)
		}
		return nil
	}
	return near
}

func (a *QueryEmbedder) isResting() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Now().Before(a.restUntil)
}

func (a *QueryEmbedder) restAfter(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.restUntil = a.Now().Add(failureRest)
	a.Log.Warn("recall uses words alone", "error", err, "for", failureRest)
}
