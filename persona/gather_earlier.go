package persona

import (
	"context"
	"slices"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/scene"
)

// Somebody who comes back has asked nothing yet that could bring anything to mind, so what they told before is put in
// front of the voice, as much of it as says something the notes do not. These figures are choices of this project.
//
// toldCandidates is how many memories are looked at.
const toldCandidates = 200

// addEarlier puts shown to the voice what someone who comes back told before, in a room nobody else hears.
func (e *Engine) addEarlier(ctx context.Context, t *turn, s *scene.Scene) error {
	if s.Greeting == nil || !t.room.Direct || t.proactive() != "" {
		return nil
	}
	told, err := e.Store.Recall.ToldBy(ctx, t.visibility, t.asker.ID, toldCandidates)
	if err != nil {
		return err
	}
	told = slices.DeleteFunc(told, func(m model.Memory) bool {
		return slices.ContainsFunc(s.Recall.Items, func(item recall.Item) bool { return item.MemoryID == m.ID })
	})
	s.Earlier = scene.SelectEarlier(told, *s)
	return nil
}
