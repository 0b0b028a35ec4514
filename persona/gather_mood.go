package persona

import (
	"context"
	"errors"

	"familiar/memory"

	"familiar/persona/mind"
	"familiar/persona/scene"
)

// addMood adds the persona's current mood, which decays from that of its last session in any room. It is one word of a
// fixed list, so that no room learns what was said in another.
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
