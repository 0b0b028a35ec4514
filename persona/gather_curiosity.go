package persona

import (
	"context"
	"slices"
	"strings"

	"familiar/memory/belief"
	"familiar/persona/mind"
	"familiar/persona/scene"
)

// addUnknownTerm adds the one unexplained term most worth asking about, if a question fits the occasion. It does the
// cheap checks first.
func (e *Engine) addUnknownTerm(ctx context.Context, t *turn, s *scene.Scene) error {
	if ok, _ := mind.MayAsk(s.Occasion()); !ok || t.isArrival() {
		return nil
	}
	terms, err := e.Store.Beliefs.TrackedLoops(ctx, t.visibility, t.asker.ID, belief.LoopCuriosity)
	if err != nil {
		return err
	}
	outdated := scene.OutdatedValues(s.Beliefs)
	best, most := -1, mind.AskFrom
	for i, w := range terms {
		p := mind.Curious(mind.UnknownTerm{Term: w.Text, Count: w.Mentions, Last: w.Last}, s.Relationship, s.Now)
		if w.Asked.IsZero() && p >= most && !slices.ContainsFunc(outdated, func(v string) bool { return strings.EqualFold(v, w.Text) }) {
			best, most = i, p
		}
	}
	if best < 0 || s.Hurt() || s.SpokenOut(terms[best].Text) {
		return nil
	}
	asked, err := e.Store.Beliefs.CountAsked(ctx, e.Card.Key, t.asker.ID, belief.LoopCuriosity, t.sessionStart)
	if err != nil || asked > 0 {
		return err
	}
	told, err := e.Store.Beliefs.IsExplained(ctx, e.Card.Key, t.asker.ID, terms[best].Text)
	if err == nil && !told {
		s.UnknownTerm = &terms[best]
	}
	return err
}
