package persona

import (
	"context"

	"familiar/persona/scene"
)

// addUndelivered adds how many replies may not have arrived in the room. A message that nobody asked for does not begin
// with an excuse.
func (e *Engine) addUndelivered(ctx context.Context, t *turn, s *scene.Scene) (err error) {
	if t.proactive() != "" {
		return nil
	}
	t.undelivered, err = e.Store.Log.Undelivered(ctx, t.visibility)
	s.Undelivered = len(t.undelivered)
	return err
}
