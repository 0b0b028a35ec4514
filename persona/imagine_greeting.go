package persona

import (
	"context"
	"fmt"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/scene"
	"familiar/prompts"
)

// Greeting is what somebody would hear if they came in now.
type Greeting struct {
	// Text is what a voice would say, "" if it would say nothing.
	Text string
	// Why is what the greeting brings up, nil if there is none: they were here a moment ago.
	Why *scene.Greeting
	// Memories and Beliefs are the ids of those that the text was made from.
	Memories, Beliefs []int64
	// Prompt is what a model would get.
	Prompt prompts.Prompt
}

// GreetingFor returns what a voice, or that of the persona for nil, would say if a person opened a room now. It stores nothing, and no
// tools are called.
func (e *Engine) GreetingFor(ctx context.Context, person model.Person, room model.Room, voice scene.Voice) (g Greeting, err error) {
	hearing, err := e.Store.Log.VisibilityIn(ctx, e.Card.Key, room)
	if err != nil {
		return g, fmt.Errorf("find the audience of a room: %w", err)
	}
	t := e.imagined(person, room, hearing, "", e.Now())
	t.pending[0] = log.InboxEntry{Message: channels.Message{At: t.started, Direct: room.Direct, Arrival: true}}
	err = e.Store.Snapshot(ctx, func(ctx context.Context) error {
		g.Prompt, err = e.promptFor(ctx, t, 0)
		return err
	})
	if err != nil {
		return g, fmt.Errorf("imagine that person %d comes in: %w", person.ID, err)
	}
	if g.Why = t.scene.Greeting; g.Why == nil {
		return g, nil
	}
	t.scene.Tools, t.scene.Lookup = nil, nil
	if voice == nil {
		voice = e.Voice
	}
	said, err := voice.Reply(ctx, t.scene, nil)
	if err != nil {
		return g, fmt.Errorf("imagine the greeting of person %d: %w", person.ID, err)
	}
	g.Text, g.Memories, g.Beliefs = said.Text, said.Used, said.Beliefs
	return g, nil
}
