package persona

import (
	"context"
	"slices"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/scene"
)

// A person who returns has not asked anything yet that recall could use. The voice therefore sees their earlier
// statements, as far as these add to the notes. The numbers are project choices.
//
// toldCandidates is how many memories are considered.
const toldCandidates = 200

// addEarlier adds earlier statements of someone who returns, in direct rooms only.
func (e *Engine) addEarlier(ctx context.Context, t *turn, s *scene.Scene) error {
	if s.Greeting == nil || !t.room.Direct || t.proactive() != "" {
		return nil
	}
	told, err := e.Store.Recall.ByAuthor(ctx, t.visibility, t.asker.ID, toldCandidates)
	if err != nil {
		return err
	}
	told = slices.DeleteFunc(told, func(m model.Memory) bool {
		return slices.ContainsFunc(s.Recall.Items, func(item recall.Item) bool { return item.MemoryID == m.ID })
	})
	s.Earlier = scene.SelectEarlier(told, *s)
	return nil
}
