package persona

import (
	"cmp"
	"context"
	"slices"

	"familiar/memory/belief"
	"familiar/persona/mind"
	"familiar/persona/scene"
)

// goalsShown bounds the goals in a scene.
const goalsShown = 8

// addGoals adds the person's goals that this room may hear, top by salience first, without duplicates from several
// rooms.
func (e *Engine) addGoals(ctx context.Context, t *turn, s *scene.Scene) error {
	goals, err := e.Store.Beliefs.TrackedLoops(ctx, t.visibility, t.asker.ID, belief.LoopGoal)
	if err != nil {
		return err
	}
	slices.SortStableFunc(goals, func(a, b belief.TrackedLoop) int {
		return cmp.Compare(scene.GoalOf(b).Priority(s.Now), scene.GoalOf(a).Priority(s.Now))
	})
	for _, g := range goals {
		same := func(o belief.TrackedLoop) bool { return mind.SameGoal(o.Text, g.Text) }
		if len(s.Goals) < goalsShown && !slices.ContainsFunc(s.Goals, same) {
			s.Goals = append(s.Goals, g)
		}
	}
	return nil
}
