package persona

import (
	"context"
	"errors"

	"familiar/memory"

	"familiar/persona/mind"
	"familiar/persona/scene"
)

// addMood is how the persona feels now: what its last session, wherever that was, has left of it. It is figures and one
// word of a closed list, so that no room learns from it what was said in another.
func (e *Engine) addMood(ctx context.Context, t *turn, s *scene.Scene, g mind.Grown) error {
	last, err := e.Store.Turns.MoodAt(ctx, e.Card.Key, t.now)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	usual := mind.UsualMood(e.Card.Strengths(), g)
	s.Mood = mind.MoodWord(mind.Rested(mind.Mood{Valence: last.Valence, Energy: last.Energy}, usual, t.now.Sub(last.At)))
	return nil
}
