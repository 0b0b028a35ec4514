package persona

import (
	"cmp"
	"context"
	"fmt"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/session"
)

// What jobs made of a person stands in front of the voice as far as it bears on what is said, or is new. These figures are
// choices of this project.
//
// reflectedCandidates is how many of each kind are looked at, the newest.
const reflectedCandidates = 20

// addReflections reads what jobs made of the person. What someone seems to be is for them alone, and for nobody the
// persona hardly knows; what it means to do otherwise holds wherever it was learned.
func (e *Engine) addReflections(ctx context.Context, t *turn, s *scene.Scene) (err error) {
	if s.Direct && s.Stage != mind.Stranger {
		if s.Observations, err = e.Store.Lifecycle.InferredOf(ctx, t.visibility, t.asker.ID, model.Observation, reflectedCandidates); err != nil {
			return err
		}
	}
	s.Lessons, err = e.Store.Lifecycle.InferredOf(ctx, t.visibility, t.asker.ID, model.Lesson, reflectedCandidates)
	return err
}

// addMilestones puts shown to the voice what the two have reached together lately. That they met, the timeline says.
func (e *Engine) addMilestones(ctx context.Context, t *turn, s *scene.Scene) error {
	reached, err := e.Store.Turns.Milestones(ctx, t.visibility, t.asker.ID)
	if err != nil {
		return err
	}
	for _, m := range reached {
		words := milestoneWords(mind.Milestone(m.Kind))
		if words != "" && m.Kind != string(mind.Met) && s.Now.Sub(m.At) <= scene.NoticedWithin {
			s.Milestones = append(s.Milestones, fmt.Sprintf(words, cmp.Or(s.Address, "this person")))
		}
	}
	return nil
}

// milestoneWords returns how a milestone is told, "" for one that is not told of by itself.
func milestoneWords(m mind.Milestone) string {
	for _, of := range session.MomentsOf {
		if words := of.Milestones[m]; words != "" {
			return words
		}
	}
	return ""
}
