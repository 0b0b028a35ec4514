package bench

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/persona"
)

// hear takes messages in as a channel's backlog would be: all into the inbox, then through the engine until none is
// left.
func hear(ctx context.Context, parts RecallParts, store *memory.Store, messages []channels.Message) error {
	for some := range slices.Chunk(messages, acceptBatch) {
		if _, err := store.AcceptAll(ctx, parts.Card.Key, some); err != nil {
			return err
		}
	}
	engine := persona.New(persona.Parts{
		Card: parts.Card, Store: store, Voice: parts.Voice, Channels: []channels.Channel{mute{}},
		Settings: parts.Settings, Now: time.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	return engine.CatchUp(ctx)
}
