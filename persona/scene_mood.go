package persona

import (
	"context"
	"errors"
	"time"

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
	s.Mood = mind.MoodWord(MoodNow(e.Card, last, t.now.Sub(last.At)))
	return nil
}

// MoodNow is how a persona of that card feels a while after the session that left it in a mood.
func MoodNow(c *Card, last memory.Mood, since time.Duration) mind.Mood {
	return mind.Rested(mind.Mood{Valence: last.Valence, Energy: last.Energy}, usualMood(c), since)
}

// usualMood is the mood a card's character is in when nothing moves it.
func usualMood(c *Card) mind.Mood {
	traits := make(map[string]float64, len(c.Traits))
	for _, t := range c.Traits {
		traits[t.Name] = t.Strength
	}
	return mind.Temperament(traits)
}
