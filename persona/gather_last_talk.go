package persona

import (
	"context"
	"errors"
	"slices"

	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona/scene"
)

// addLastTalk adds the summary of the last session with the person when a new one starts, unless recall already found
// it.
func (e *Engine) addLastTalk(ctx context.Context, t *turn, s *scene.Scene) error {
	if t.sessionID != 0 {
		return nil
	}
	last, err := e.Store.Turns.LastSummary(ctx, t.visibility, t.asker.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(s.Recall.Items, func(i recall.Item) bool { return i.MemoryID == last.ID }) {
		s.LastTalk = last
	}
	return nil
}
