package persona

import (
	"context"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// PromptFor returns the prompt that a model would get if a person said a text in a room now. It stores nothing.
func (e *Engine) PromptFor(ctx context.Context, person model.Person, room model.Room, text string) (prompt prompts.Prompt, err error) {
	hearing, err := e.Store.Log.VisibilityIn(ctx, e.Card.Key, room)
	if err != nil {
		return prompt, fmt.Errorf("find the audience of a room: %w", err)
	}
	t := e.imagined(person, room, hearing, text, e.Now())
	t.queryEmbedding = e.embedQuery(ctx, person.Name, text)
	err = e.Store.Snapshot(ctx, func(ctx context.Context) error {
		prompt, err = e.promptFor(ctx, t, 0)
		return err
	})
	return prompt, err
}

// imagined returns a turn in which a person says a text in a room.
func (e *Engine) imagined(person model.Person, room model.Room, hearing memory.Visibility, text string, at time.Time) *turn {
	started := e.Now()
	return &turn{
		started: started, room: room, visibility: hearing, asker: person, authors: []int64{person.ID}, now: started.In(person.Location(e.Settings.Zone)),
		people:  map[int64]model.Person{person.ID: person},
		pending: []log.InboxEntry{{Message: channels.Message{Text: text, At: at, Direct: room.Direct, Addressed: true}}},
	}
}

// promptFor returns the prompt of an imagined turn. Of the running talk it sees what came before the message with an ID,
// all for 0.
func (e *Engine) promptFor(ctx context.Context, t *turn, before int64) (prompts.Prompt, error) {
	if err := e.findSession(ctx, t); err != nil {
		return prompts.Prompt{}, err
	}
	for i, m := range t.recent {
		if before != 0 && m.ID >= before {
			t.recent = t.recent[:i]
			break
		}
	}
	e.annotate(t)
	if err := e.closeLoops(ctx, t); err != nil {
		return prompts.Prompt{}, err
	}
	if err := e.buildScene(ctx, t); err != nil {
		return prompts.Prompt{}, err
	}
	budget, _ := e.Settings.Budgets()
	return modelvoice.PromptOf(e.Voice, t.scene, budget), nil
}
