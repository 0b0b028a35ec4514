package persona

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"familiar/channels"
	"familiar/memory"
)

// Sent returns the text of the chunk that was sent, or is being sent, under key by a channel with these limits.
// Networks use it to request a message again. It fails with channels.ErrNotFound if there is no such chunk, if it was
// sent more than two weeks ago, or if its text was forgotten.
func Sent(ctx context.Context, store *memory.Store, limits channels.Limits, key string) (string, error) {
	reply, number, _ := cutLast(key, "-")
	chunk, err := strconv.Atoi(number)
	if err != nil {
		return "", fmt.Errorf("find what was sent under %q: %w", key, channels.ErrNotFound)
	}
	text, err := store.Log.OutboxText(ctx, reply)
	if errors.Is(err, memory.ErrNotFound) {
		return "", fmt.Errorf("find what was sent under %q: %w", key, channels.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	chunks := channels.Split(text, limits)
	if chunk < 0 || chunk >= len(chunks) {
		return "", fmt.Errorf("find what was sent under %q: %w", key, channels.ErrNotFound)
	}
	return chunks[chunk], nil
}

// cutLast cuts text around the last sep.
func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}
