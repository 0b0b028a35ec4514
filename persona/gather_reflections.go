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

// reflectedCandidates is how many reflections of each kind are considered, newest first. Those shown to the voice are
// relevant to the message or new. The number is a project choice.
const reflectedCandidates = 20

// addReflections reads what jobs inferred about the person. Observations are shown to the person alone, and not to
// strangers. Lessons apply wherever they were learned.
func (e *Engine) addReflections(ctx context.Context, t *turn, s *scene.Scene) (err error) {
	if mayShowObservations(s) {
		if s.Observations, err = e.observations(ctx, t); err != nil {
			return err
		}
	}
	s.Lessons, err = e.lessons(ctx, t)
	return err
}

// mayShowObservations reports whether a reply may be made from what the persona observed about a person.
func mayShowObservations(s *scene.Scene) bool { return s.Direct && s.Stage != mind.Stranger }

func (e *Engine) observations(ctx context.Context, t *turn) ([]model.Memory, error) {
	return e.Store.Lifecycle.InferencesAbout(ctx, t.visibility, t.asker.ID, model.Observation, reflectedCandidates)
}

func (e *Engine) lessons(ctx context.Context, t *turn) ([]model.Memory, error) {
	return e.Store.Lifecycle.InferencesAbout(ctx, t.visibility, t.asker.ID, model.Lesson, reflectedCandidates)
}

// addMilestones adds the milestones that the two reached recently. Their first meeting is left to the timeline.
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

// milestoneWords returns the wording of a milestone, "" if it has none of its own.
func milestoneWords(m mind.Milestone) string {
	for _, of := range session.MomentsOf {
		if words := of.Milestones[m]; words != "" {
			return words
		}
	}
	return ""
}
