package persona

import (
	"context"

	"familiar/channels"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/known"
	"familiar/persona/scene"
)

// Imagined tells what a persona knows and would do, and does nothing itself.
type Imagined struct{ e *Engine }

// Imagined returns what tells what the persona would do.
func (e *Engine) Imagined() Imagined { return Imagined{e} }

// EmbedQuery implements known.Engine.
func (i Imagined) EmbedQuery(ctx context.Context, asker, text string) *recall.QueryEmbedding {
	return i.e.embedQuery(ctx, asker, text)
}

// Reannotate implements known.Engine.
func (i Imagined) Reannotate(m channels.Message, person model.Person, before string, open []model.Loop) (model.Annotation, []int64) {
	return i.e.reannotate(m, person, before, open)
}

// GreetingFor is Engine.GreetingFor.
func (i Imagined) GreetingFor(ctx context.Context, person model.Person, room model.Room, voice scene.Voice) (Greeting, error) {
	return i.e.GreetingFor(ctx, person, room, voice)
}

// Known reads what the persona knows of people, as they may see it.
func (i Imagined) Known() known.Reader {
	return known.Reader{Store: i.e.Store, Engine: i, WithoutFacts: i.e.Card.WithoutFacts, Zone: i.e.Settings.Zone, Now: i.e.Now}
}
