package persona

import "context"

// grown lets the card stand in the scene as it grew.
func (e *Engine) grown(ctx context.Context, _ *turn, s *Scene) error {
	g, err := Grown(ctx, e.Store, e.Card.Key)
	if err != nil {
		return err
	}
	s.Card = e.Card.Grown(g)
	return nil
}
