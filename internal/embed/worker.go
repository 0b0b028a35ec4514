package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"familiar/internal/sleep"
	"familiar/memory"
	"familiar/memory/lifecycle"
)

// Worker embeds pending memories.
type Worker struct {
	Store    *memory.Store
	Embedder Embedder
	// Batch is how many texts are sent at once, at least 1; Timeout limits one call.
	Batch   int
	Timeout time.Duration
	Log     *slog.Logger

	mu sync.Mutex
}

// Result counts what a run did.
type Result struct{ Vectors, Refused, GivenUp int }

// String returns the counts as text, for the ledger.
func (d Result) String() string {
	switch {
	case d == Result{}:
		return "no memory needs a vector"
	case d.Refused == 0:
		return fmt.Sprintf("%d vectors", d.Vectors)
	}
	return fmt.Sprintf("%d vectors, %d refused, %d of them given up", d.Vectors, d.Refused, d.GivenUp)
}

// EmbedOnce embeds all pending memories, batch by batch. Each batch is durable when it is done, and the next run
// continues after it, however this one ends. It returns an error if the embedder fails as a whole; the error is
// recorded for the operator, the memories stay pending and none is blamed.
func (d *Worker) EmbedOnce(ctx context.Context) (Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	total, err := d.drain(ctx)
	if ctx.Err() == nil {
		err = errors.Join(err, d.note(ctx, err))
	}
	return total, err
}

func (d *Worker) drain(ctx context.Context) (total Result, err error) {
	if err := d.Store.Entries.UseEmbedder(ctx, d.Embedder.Model()); err != nil {
		return total, err
	}
	for {
		waiting, err := d.Store.Lifecycle.EmbeddingBacklog(ctx, d.Batch)
		if err != nil {
			return total, err
		}
		if len(waiting) == 0 {
			return total, d.Store.Lifecycle.MaintainVectors(ctx, d.askInBatches)
		}
		done, err := d.embed(ctx, waiting)
		if err != nil {
			return total, err
		}
		kept, err := d.Store.Lifecycle.SaveVectors(ctx, d.Embedder.Model(), done)
		if err != nil {
			return total, err
		}
		total.Vectors += kept.Vectors
		total.Refused += kept.Refused
		total.GivenUp += kept.GivenUp
	}
}

// embed embeds a batch. If that fails, a test with a harmless word shows whether the embedder or a text is the cause:
// in the first case embed returns the error; in the second it embeds each text separately, and each carries its own
// error.
func (d *Worker) embed(ctx context.Context, waiting []lifecycle.EmbeddingTask) ([]lifecycle.EmbeddingResult, error) {
	done := make([]lifecycle.EmbeddingResult, len(waiting))
	texts := make([]string, len(waiting))
	for i, w := range waiting {
		done[i].EmbeddingTask, texts[i] = w, w.Input()
	}
	vectors, cause := d.ask(ctx, texts...)
	if cause == nil {
		for i, v := range vectors {
			done[i].Vector = v
		}
		return done, nil
	}
	if _, err := d.ask(ctx, "hello"); err != nil || ctx.Err() != nil {
		return nil, cause
	}
	for i, w := range waiting {
		vectors, err := d.ask(ctx, w.Input())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if done[i].Err = err; err == nil {
			done[i].Vector = vectors[0]
		}
	}
	return done, nil
}

// ask makes one request with a timeout.
func (d *Worker) ask(ctx context.Context, texts ...string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	return embedChecked(ctx, d.Embedder, texts)
}

// askInBatches makes as many requests as texts need, each with a timeout.
func (d *Worker) askInBatches(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	for batch := range slices.Chunk(texts, d.Batch) {
		some, err := d.ask(ctx, batch...)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, some...)
	}
	return vectors, nil
}

// embedChecked checks that the embedder returns one vector for each text.
func embedChecked(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("embed with %s: it returned %d vectors for %d texts", e.Model(), len(vectors), len(texts))
	}
	return vectors, err
}

// note records the embedder's error, or that there is none any more, if that changed.
func (d *Worker) note(ctx context.Context, fault error) error {
	in, err := d.Store.Entries.Embedding(ctx)
	if err != nil {
		return err
	}
	text := ""
	if fault != nil {
		text = fault.Error()
	}
	if in.Fault == text {
		return nil
	}
	return d.Store.Entries.NoteEmbedderFault(ctx, text)
}

const (
	// pollInterval is the time between two checks for new memories. A vector is useful from the next conversation on,
	// or the next minute, so there is no hurry.
	pollInterval = 5 * time.Second
	// maxPause bounds the wait after failures, which doubles from pollInterval on.
	maxPause = 5 * time.Minute
)

// Run embeds until ctx ends.
func (d *Worker) Run(ctx context.Context) error {
	for pause := time.Duration(0); sleep.For(ctx, pause); {
		done, err := d.EmbedOnce(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			pause = min(max(2*pause, pollInterval), maxPause)
			d.Log.Warn("memories are waiting for their vectors", "error", err, "again_in", pause)
			continue
		case done != Result{}:
			d.report(ctx, done)
		}
		pause = pollInterval
	}
	return nil
}

// report logs what was done and what is left: a backlog at info level, a few recent memories at debug level.
func (d *Worker) report(ctx context.Context, done Result) {
	st, err := d.Store.Entries.Embedding(ctx)
	if err != nil {
		return // the next check will report it
	}
	level := slog.LevelDebug
	switch {
	case done.Refused > 0:
		level = slog.LevelWarn
	case done.Vectors > d.Batch:
		level = slog.LevelInfo
	}
	d.Log.Log(ctx, level, "embedded memories", "vectors", done.Vectors, "refused", done.Refused,
		"waiting", st.Waiting, "failed", st.Failed, "worth", st.Worth)
}
