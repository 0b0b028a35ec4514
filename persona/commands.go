package persona

import (
	"context"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/command"
	"familiar/prompts"
)

// commands returns what answers the commands that are given to the persona.
func (e *Engine) commands() command.Runner {
	d := commandHost{e}
	return command.Runner{
		Card: e.Card, Store: e.Store, Channels: e.channels, Engine: d, Outbox: d, Personas: d, Proposals: e.proposals,
		Zone: e.Settings.Zone, RecentMessages: e.Settings.RecentMessages, WithoutModel: e.Model == nil,
		Now: e.Now, Random: e.Random, Erased: e.Erased, Log: e.Log,
		Aloud: func(channel string) string { return e.Settings.aloudOn(channel) }, Speaks: e.Speaker != nil,
		SignIn: e.Settings.SignIn,
	}
}

// commandHost is the engine as commands see it.
type commandHost struct{ e *Engine }

// EmbedQuery implements command.Engine.
func (d commandHost) EmbedQuery(ctx context.Context, asker, text string) *recall.QueryEmbedding {
	return d.e.embedQuery(ctx, asker, text)
}

// PromptAgain implements command.Engine.
func (d commandHost) PromptAgain(
	ctx context.Context, person model.Person, room model.Room, hearing memory.Visibility, said model.Message,
) (prompts.Prompt, error) {
	return d.e.promptFor(ctx, d.e.imagined(person, room, hearing, said.Text, said.At), said.ID)
}

// Reannotate implements command.Engine.
func (d commandHost) Reannotate(m channels.Message, person model.Person, before string, open []model.Loop) (model.Annotation, []int64) {
	return d.e.reannotate(m, person, before, open)
}

// EventKey implements command.Engine.
func (d commandHost) EventKey(m channels.Message) string { return d.e.eventKey(m) }

// Wake implements command.Outbox.
func (d commandHost) Wake(room model.Room) { d.e.sender.wake(room) }

// ReminderAdded implements command.Outbox.
func (d commandHost) ReminderAdded() { d.e.noteReminder() }

// NoReply implements command.Outbox.
func (d commandHost) NoReply(m channels.Message) { d.e.NoReply(m) }

// Choices implements command.Personas.
func (d commandHost) Choices(m channels.Message) []string { return d.e.Router().Choices(m) }

// Owner implements command.Personas.
func (d commandHost) Owner(m channels.Message) string { return d.e.Router().Owner(m) }

// Name implements command.Personas.
func (d commandHost) Name(key string) string { return d.e.Cast.Engine(key).Card.Name }

// Chosen implements command.Personas.
func (d commandHost) Chosen(ctx context.Context) error {
	d.e.fleet.Tell(fleet.Wake{}) // another process may receive this room's messages
	return d.e.readChosen(ctx)
}
