package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"familiar/internal/sleep"
	"familiar/memory"
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

func (d *Worker) drain(ctx context.Context) (Result, error) {
	done, err := d.Store.EmbedWaiting(ctx, bounded{d.Embedder, d.Timeout}, d.Batch)
	return Result(done), err
}

// bounded is an embedder whose requests have a time limit.
type bounded struct {
	Embedder
	timeout time.Duration
}

// Embed implements Embedder.
func (b bounded) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	return b.Embedder.Embed(ctx, texts)
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
