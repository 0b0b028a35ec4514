package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"familiar/memory"
	"familiar/memory/lifecycle"
)

// Worker gives memories their vectors.
type Worker struct {
	Store    *memory.Store
	Embedder Embedder
	// Batch is how many texts are sent at once, at least 1; Timeout bounds one call.
	Batch   int
	Timeout time.Duration
	Log     *slog.Logger

	once sync.Mutex
}

// Result counts what a drain did.
type Result struct{ Vectors, Refused, GivenUp int }

// String says the counts in words, for the ledger.
func (d Result) String() string {
	switch {
	case d == Result{}:
		return "nothing waits for a vector"
	case d.Refused == 0:
		return fmt.Sprintf("%d vectors", d.Vectors)
	}
	return fmt.Sprintf("%d vectors, %d refused, %d of them given up", d.Vectors, d.Refused, d.GivenUp)
}

// EmbedOnce gives every memory that waits its vector, batch by batch: what is done is durable batch by batch, and the
// next drain goes on where this one ended, however it ended. It fails when the embedder cannot be asked, which is noted
// for the operator; what waits then keeps waiting and no memory is blamed.
func (d *Worker) EmbedOnce(ctx context.Context) (Result, error) {
	d.once.Lock()
	defer d.once.Unlock()
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
		waiting, err := d.Store.Lifecycle.ToEmbed(ctx, d.Batch)
		if err != nil {
			return total, err
		}
		if len(waiting) == 0 {
			return total, d.Store.Lifecycle.SettleVectors(ctx)
		}
		done, err := d.embed(ctx, waiting)
		if err != nil {
			return total, err
		}
		kept, err := d.Store.Lifecycle.KeepVectors(ctx, d.Embedder.Model(), done)
		if err != nil {
			return total, err
		}
		total.Vectors += kept.Vectors
		total.Refused += kept.Refused
		total.GivenUp += kept.GivenUp
	}
}

// embed asks for the vectors of a batch. When that fails a harmless word tells whether the embedder or a text is at
// fault: in the first case that is the error, in the second each text is asked for by itself and carries its own.
func (d *Worker) embed(ctx context.Context, waiting []lifecycle.ToEmbed) ([]lifecycle.Embedded, error) {
	done := make([]lifecycle.Embedded, len(waiting))
	texts := make([]string, len(waiting))
	for i, w := range waiting {
		done[i].ToEmbed, texts[i] = w, w.Text
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
		vectors, err := d.ask(ctx, w.Text)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if done[i].Err = err; err == nil {
			done[i].Vector = vectors[0]
		}
	}
	return done, nil
}

// ask asks once for some texts.
func (d *Worker) ask(ctx context.Context, texts ...string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	return ask(ctx, d.Embedder, texts)
}

// ask holds an embedder to one vector for each text.
func ask(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("ask %s for vectors: it gave %d for %d texts", e.Model(), len(vectors), len(texts))
	}
	return vectors, err
}

// note keeps what is wrong with the embedder, or that nothing is any more, where that is news.
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
	// look is how long after one look for new memories the next is taken: a vector is of use from the next day's talk
	// on, or from the next minute's, not at once.
	look = 5 * time.Second
	// longestPause bounds the wait after failures, which doubles from look on.
	longestPause = 5 * time.Minute
)

// Run drains until ctx ends.
func (d *Worker) Run(ctx context.Context) error {
	for pause := time.Duration(0); wait(ctx, pause); {
		done, err := d.EmbedOnce(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			pause = min(max(2*pause, look), longestPause)
			d.Log.Warn("memories wait for their vectors", "error", err, "again_in", pause)
			continue
		case done != Result{}:
			d.report(ctx, done)
		}
		pause = look
	}
	return nil
}

// report logs what was done and what is left: a backlog for everybody to see, the last few things said for those who
// look closely.
func (d *Worker) report(ctx context.Context, done Result) {
	st, err := d.Store.Entries.Embedding(ctx)
	if err != nil {
		return // the next look will say so
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

func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
