package persona

import (
	"context"
	"errors"

	"familiar/memory"
	"familiar/persona/mind"
)

// mood is how the persona feels now: what its last session, wherever that was, has left of it. It is figures and one
// word of a closed list, so that no room learns from it what was said in another.
func (e *Engine) mood(ctx context.Context, t *turn, s *Scene) error {
	last, err := e.Store.MoodAt(ctx, e.Card.Key, t.now)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	usual, err := e.usualMood(ctx)
	if err != nil {
		return err
	}
	s.Mood = mind.MoodWord(mind.Rested(mind.Mood{Valence: last.Valence, Energy: last.Energy}, usual, t.now.Sub(last.At)))
	return nil
}

// usualMood is the mood the persona is in when nothing moves it: its card's, and what grew above it.
func (e *Engine) usualMood(ctx context.Context) (mind.Mood, error) {
	g, err := Grown(ctx, e.Store, e.Card.Key)
	return mind.UsualMood(e.Card.Strengths(), g), err
}
