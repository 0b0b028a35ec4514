package bench

import (
	"context"
	"slices"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/memory"
)

// ingest passes a transcript through the engine: a conversation of people as a group in which nobody addresses the
// persona, one with the persona turn by turn.
func ingest(ctx context.Context, parts RecallParts, store *memory.Store, t transcript.Transcript, clock *clock) error {
	if t.Persona != (channels.Author{}) {
		return replay(ctx, parts, store, t, clock)
	}
	return hear(ctx, parts, store, t.Messages)
}

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
