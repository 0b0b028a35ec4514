package find

import (
	"context"

	"familiar/channels/console"
	"familiar/memory"
)

// Typed tells which lines of the chat's history are still remembered.
func Typed(ctx context.Context, store *memory.Store) func(lines []string) (map[string]bool, error) {
	return func(lines []string) (map[string]bool, error) { return store.Log.SaidTexts(ctx, console.Name, lines) }
}
