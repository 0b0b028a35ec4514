package bench

import (
	"context"
	"slices"

	"familiar/channels"
	"familiar/memory"
)

// hear ingests messages like a channel's backlog: all of them enter the inbox, then the engine processes them until
// none is left.
func hear(ctx context.Context, parts RecallParts, store *memory.Store, messages []channels.Message) error {
	for some := range slices.Chunk(messages, acceptBatch) {
		if _, err := store.Log.AcceptAll(ctx, parts.Card.Key, some); err != nil {
			return err
		}
	}
	return engineOn(parts, store, mute{}).CatchUp(ctx)
}
