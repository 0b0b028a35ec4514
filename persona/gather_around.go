package persona

import (
	"context"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona/scene"
)

// The most beliefs about others that a model's voice gets, more than a prompt has room for: told by the person, and in a
// direct room also told by others where the person could hear it.
const (
	aroundLimit   = 500
	overhearLimit = 200
)

// addAround adds what is known of others to a scene for a model, as it may be heard in the room: in a direct room, what the
// person told of them or was there to hear.
func (e *Engine) addAround(ctx context.Context, t *turn, s *scene.Scene) (err error) {
	if e.Model == nil {
		return nil
	}
	of := belief.Filter{IncludeHistory: true, Limit: aroundLimit}
	if t.room.Direct {
		of.AuthorID = t.asker.ID
	}
	if s.Around, err = e.Store.Beliefs.Beliefs(ctx, t.visibility, of); err != nil {
		return err
	}
	if t.room.Direct {
		heard, err := e.Store.Beliefs.Beliefs(ctx, t.visibility, belief.Filter{Limit: overhearLimit})
		if err != nil {
			return err
		}
		for _, b := range heard {
			if b.AuthorID != t.asker.ID {
				s.Around = append(s.Around, b)
			}
		}
	}
	known := make(map[int64]bool, len(s.Beliefs))
	for i := range s.Beliefs { // by index, since beliefs are large
		known[s.Beliefs[i].ID] = true
	}
	s.Around = slices.DeleteFunc(s.Around, func(b model.Belief) bool { return known[b.ID] })
	return nil
}

// addPortrait adds the portrait of the person that may be seen in the room.
func (e *Engine) addPortrait(ctx context.Context, t *turn, s *scene.Scene) error {
	if e.Model == nil {
		return nil
	}
	drawn, err := e.Store.Lifecycle.InferencesAbout(ctx, t.visibility, t.asker.ID, model.Portrait, 1)
	if len(drawn) > 0 {
		s.Portrait = drawn[0]
	}
	return err
}

// addToConfirm adds what the persona may ask the person to confirm, the newest of it.
func (e *Engine) addToConfirm(ctx context.Context, t *turn, s *scene.Scene) error {
	doubtful := func(b model.Belief) bool { return b.ByModel && b.AuthorID == t.asker.ID }
	if e.Model == nil || !t.room.Direct || !slices.ContainsFunc(s.Beliefs, doubtful) && !slices.ContainsFunc(s.Around, doubtful) {
		return nil
	}
	open, err := e.Store.Beliefs.ToConfirm(ctx, t.visibility, t.asker.ID)
	if len(open) > 0 {
		s.ToConfirm = &open[0]
	}
	return err
}

// addRead adds which messages and memories of the scene a model has read. It comes after everything that adds some.
func (e *Engine) addRead(ctx context.Context, _ *turn, s *scene.Scene) (err error) {
	if e.Model == nil {
		return nil
	}
	var messages, memories []int64
	for _, all := range [][]model.Belief{s.Beliefs, s.Around} {
		for i := range all { // by index, since beliefs are large
			if all[i].Sentence != "" {
				continue // a model filed it
			}
			for _, e := range all[i].Evidence {
				messages = append(messages, e.MessageID)
			}
		}
	}
	for _, l := range s.Loops {
		messages = append(messages, l.MessageID)
	}
	for _, item := range slices.Concat(s.Recall.Items, s.Earlier) {
		memories = append(memories, item.MemoryID)
		for _, l := range item.Lines {
			messages = append(messages, l.MessageID)
		}
	}
	memories = append(memories, s.LastTalk.ID)
	if s.Greeting != nil {
		for _, m := range s.Greeting.Recalled {
			memories = append(memories, m.ID)
		}
	}
	s.Read, err = e.Store.Turns.ReadByModel(ctx, distinct(messages), distinct(memories))
	return err
}

// distinct returns the ids that stand for something, each once.
func distinct(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id int64) bool { return id == 0 })
}
