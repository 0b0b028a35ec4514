package persona

import (
	"context"

	"familiar/persona/scene"
)

// addWebNote adds a sentence that the persona read on the web, if this is the moment for one. It does the cheap checks first: nothing is
// read from the store where nothing is read on the web.
func (e *Engine) addWebNote(ctx context.Context, t *turn, s *scene.Scene) error {
	if !e.Settings.ReadsWeb || !s.BringsUpWeb() {
		return nil
	}
	read, err := e.Store.Recall.WebNotes(ctx, t.visibility, t.asker.ID, s.Now.Add(-scene.WebNotesFor))
	if err != nil || len(read) == 0 {
		return err
	}
	told, err := e.Store.Entries.Greeted(ctx, e.Card.Key, t.asker.ID)
	if err != nil {
		return err
	}
	s.WebNote = s.ChooseWebNote(read, told)
	return nil
}
