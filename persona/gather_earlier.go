package persona

import (
	"context"
	"slices"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/scene"
)

// toldCandidates is how many earlier statements are considered. A person who returns has not asked anything yet that
// recall could use, so the voice sees earlier statements that add to the notes. The number is a project choice.
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
