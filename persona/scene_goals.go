package persona

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/prompts"
)

const (
	// goalsShown bounds how many goals stand in a scene.
	goalsShown = 8
	// restedGoal is how long a goal is left alone once it was spoken of or asked after.
	restedGoal = 3 * 24 * time.Hour
)

// goals puts what the person is after into the scene, as far as it may be spoken of here: what is most on their mind first,
// what was told in two places once.
func (e *Engine) goals(ctx context.Context, t *turn, s *Scene) error {
	goals, err := e.Store.Beliefs.Followed(ctx, t.hearing, t.asker.ID, belief.LoopGoal)
	if err != nil {
		return err
	}
	slices.SortStableFunc(goals, func(a, b belief.Followed) int {
		return cmp.Compare(goalOf(b).Priority(s.Now), goalOf(a).Priority(s.Now))
	})
	for _, g := range goals {
		same := func(o belief.Followed) bool { return mind.SameGoal(o.Text, g.Text) }
		if len(s.Goals) < goalsShown && !slices.ContainsFunc(s.Goals, same) {
			s.Goals = append(s.Goals, g)
		}
	}
	return nil
}

// goalOf is a goal as the rules know it.
func goalOf(g belief.Followed) mind.Goal {
	return mind.Goal{Text: g.Text, Touched: g.Last, Mentions: g.Mentions, Steps: g.Steps}
}

// GoalToAskAfter is the goal that is most worth asking after when nothing else is due: one that is on their mind and was
// left alone for some days. goals stand in their order.
func GoalToAskAfter(goals []belief.Followed, now time.Time) (belief.Followed, bool) {
	for _, g := range goals {
		if !goalOf(g).Stale(now) && now.Sub(g.Last) >= restedGoal && now.Sub(g.Asked) >= restedGoal {
			return g, true
		}
	}
	return belief.Followed{}, false
}

// promptGoals are the goals as the prompt takes them. One is asked after when somebody comes back and nothing is due.
func promptGoals(s Scene) (out []prompts.Goal) {
	ask, due := GoalToAskAfter(s.Goals, s.Now)
	due = due && s.Greeting != nil && len(s.Greeting.Loops) == 0
	for _, g := range s.Goals {
		out = append(out, prompts.Goal{
			Text: g.Text, Last: inZoneOf(g.Last, s.Now), Steps: g.Steps, Stale: goalOf(g).Stale(s.Now), Ask: due && g.ID == ask.ID,
		})
	}
	return out
}

// inFront are the loops in front of the voice.
func (s Scene) inFront() []model.Loop {
	loops := slices.Clone(s.Loops)
	for _, g := range s.Goals {
		loops = append(loops, g.Loop)
	}
	if s.Wonder != nil {
		loops = append(loops, s.Wonder.Loop)
	}
	return loops
}

// asked are the goals, and the term it wondered about, that an answer asks about.
func (s Scene) asked(answer string) (ids []int64) {
	for _, l := range s.inFront()[len(s.Loops):] {
		about := contentOf(l.Text)
		if slices.ContainsFunc(sentences(answer), func(said string) bool {
			return strings.HasSuffix(said, "?") && len(about) > 0 && 2*sharedWith(about, said) >= len(about)
		}) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}
