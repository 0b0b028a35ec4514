package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"familiar/channels"
	"familiar/memory"

	"familiar/persona"
)

// withStore lends a new store in a directory of its own to use and throws both away.
func withStore(ctx context.Context, use func(store *memory.Store) error) error {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what a benchmark leaves behind is in the system's own place for it
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is thrown away
	return use(store)
}

// engineOn makes the engine that serves channel from store. It says nothing to a log.
func engineOn(parts RecallParts, store *memory.Store, channel channels.Channel) *persona.Engine {
	return persona.New(persona.Parts{
		Card: parts.Card, Store: store, Voice: parts.Voice, Channels: []channels.Channel{channel}, Settings: parts.Settings,
		Now: time.Now, Jitter: still, Log: slog.New(slog.DiscardHandler),
	})
}

// still spreads no pause.
func still(time.Duration) time.Duration { return 0 }

// meanwhile runs each of running until do returns.
func meanwhile(ctx context.Context, do func(ctx context.Context) error, running ...func(ctx context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(running))
	for _, run := range running {
		go func() {
			err := run(ctx)
			if ctx.Err() == nil {
				stop() // do would wait for ever
			} else if errors.Is(err, ctx.Err()) {
				err = nil
			}
			ended <- err
		}()
	}
	err := do(ctx)
	stop()
	for range running {
		err = errors.Join(err, <-ended)
	}
	return err
}
