package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"familiar/channels"
	"familiar/internal/lab/place"
	"familiar/memory"
	"familiar/persona"
)

// withStore passes a new store in its own directory to use and removes both afterwards.
func withStore(ctx context.Context, use func(store *memory.Store) error) error {
	return withStoreAt(ctx, time.Now, use)
}

// withStoreAt is withStore with a clock.
func withStoreAt(ctx context.Context, now func() time.Time, use func(store *memory.Store) error) (err error) {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	address, remove, err := place.New(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	store, err := memory.Open(ctx, address, memory.Options{Now: now})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
	return use(store)
}

// engineOn returns the engine that serves channel from store. It logs nothing.
func engineOn(parts RecallParts, store *memory.Store, channel channels.Channel) *persona.Engine {
	return persona.New(persona.Parts{
		Card: parts.Card, Store: store, Voice: parts.Voice, Channels: []channels.Channel{channel}, Settings: parts.Settings,
		Now: time.Now, Jitter: still, Log: discardLog,
	})
}

// discardLog logs nothing.
var discardLog = slog.New(slog.DiscardHandler)

// still returns no jitter for a pause.
func still(time.Duration) time.Duration { return 0 }

// meanwhile runs each of running in the background until do returns.
func meanwhile(ctx context.Context, do func(ctx context.Context) error, running ...func(ctx context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(running))
	for _, run := range running {
		go func() {
			err := run(ctx)
			if ctx.Err() == nil {
				stop() // otherwise do would wait without end
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
