package persona

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/mind"
)

// What jobs made of a person stands in front of the voice as far as it bears on what is said, or is new. These figures are
// choices of this project.
const (
	// reflectedCandidates is how many of each kind are looked at, the newest.
	reflectedCandidates = 20
	// reflectedShown is how many of each kind are shown.
	reflectedShown = 3
)

// reflected reads what jobs made of the person. What somebody seems to be is for them alone, and for nobody the persona
// hardly knows; what it means to do otherwise holds wherever it was learned.
func (e *Engine) reflected(ctx context.Context, t *turn, s *Scene) (err error) {
	if s.Direct && s.Stage != mind.Stranger {
		if s.Observations, err = e.Store.Lifecycle.InferredOf(ctx, t.hearing, t.asker.ID, model.Observation, reflectedCandidates); err != nil {
			return err
		}
	}
	s.Lessons, err = e.Store.Lifecycle.InferredOf(ctx, t.hearing, t.asker.ID, model.Lesson, reflectedCandidates)
	return err
}

// weighReflections leaves of what jobs made what this turn has a use for.
func (s *Scene) weighReflections() {
	said := contentOf(s.question())
	for word := range contentOf(s.Person.Name + " " + reflectedFrame) {
		delete(said, word)
	}
	recent := func(m model.Memory) bool { return s.Now.Sub(m.Created) <= noticedWithin }
	always := func(model.Memory) bool { return true } // a lesson holds until it is let go
	s.Observations = bearing(slices.DeleteFunc(s.Observations, s.inFrontOf), said, recent)
	s.Lessons = bearing(s.Lessons, said, always)
}

// inFrontOf says that a memory was recalled, or is what the greeting says was noticed.
func (s *Scene) inFrontOf(m model.Memory) bool {
	return slices.ContainsFunc(s.Recall.Items, func(item recall.Item) bool { return item.MemoryID == m.ID }) ||
		s.Greeting != nil && slices.ContainsFunc(s.Greeting.Observed, func(o model.Memory) bool { return o.ID == m.ID })
}

// bearing are those of what was made of somebody that name what is said, what names most of it first, then those worth
// showing for themselves.
func bearing(made []model.Memory, said wordSet, anyway func(model.Memory) bool) []model.Memory {
	names := func(m model.Memory) int { return sharedWith(said, m.Text) }
	made = slices.DeleteFunc(made, func(m model.Memory) bool { return !anyway(m) && names(m) == 0 })
	slices.SortStableFunc(made, func(a, b model.Memory) int { return cmp.Compare(names(b), names(a)) })
	return made[:min(len(made), reflectedShown)]
}

// reflectedFrame are the words in which jobs tell of anything: what is said shares nothing with them.
const reflectedFrame = "tends talk feeling lately begun used longer comes back put right once next time ask take granted"

// milestones puts in front of the voice what the two have reached together lately. That they met, the timeline says.
func (e *Engine) milestones(ctx context.Context, t *turn, s *Scene) error {
	reached, err := e.Store.Turns.Milestones(ctx, t.hearing, t.asker.ID)
	if err != nil {
		return err
	}
	for _, m := range reached {
		words := milestoneWords(mind.Milestone(m.Kind))
		if words != "" && m.Kind != string(mind.Met) && s.Now.Sub(m.At) <= noticedWithin {
			s.Milestones = append(s.Milestones, fmt.Sprintf(words, cmp.Or(s.Address, "this person")))
		}
	}
	return nil
}

// milestoneWords are how a milestone is told, "" for one that is not told of by itself.
func milestoneWords(m mind.Milestone) string {
	for _, of := range momentsOf {
		if words := of.milestones[m]; words != "" {
			return words
		}
	}
	return ""
}
