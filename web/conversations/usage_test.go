package conversations_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"familiar/memory/budget"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

// asks is a voice that asks a model, for a stage whose store does not exist yet.
type asks struct {
	voice func() scene.Voice
}

func (asks) Name() string { return "model" }

func (a asks) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	return a.voice().Reply(ctx, s, show)
}

// costly is a model whose first answer cannot be said.
type costly struct{ asked *int }

func (m costly) Generate(context.Context, prompts.Prompt, func(string)) (prompts.Answer, error) {
	if *m.asked++; *m.asked == 1 {
		return prompts.Answer{TokensIn: 600, Requests: 1, Stop: prompts.StopEnd}, nil
	}
	return prompts.Answer{Text: "Good evening to you.", TokensIn: 634, CacheRead: 900, TokensOut: 210, Requests: 1, Stop: prompts.StopEnd}, nil
}

// whyLast returns the page on the last answer in somebody's room.
func (s *stage) whyLast(who string) string {
	s.t.Helper()
	room := s.get(s.roomOf(who)).Body
	link, _, _ := strings.Cut(room[strings.LastIndex(room, s.roomOf(who)+"/"):], `"`)
	return s.get(link).Text
}

func TestWhySaysWhatItCost(t *testing.T) {
	t.Parallel()
	plain := newStage(t, nil)
	plain.say("Ann", "Hello.")
	expect(t, plain.whyLast("Ann"), "No model was used.")

	var s *stage
	price := budget.Price{In: 2000, Out: 8000, CacheRead: 200}
	s = newStage(t, asks{func() scene.Voice {
		model := modelvoice.Chain{{Model: costly{new(int)}, Name: "gpt-x", Price: price}}
		return modelvoice.NewVoice(model, modelvoice.Meter{Store: s.store, Persona: "tess", Now: s.clock.Now}, 0, 0)
	}})
	s.say("Ann", "Hello.")
	expect(t, s.whyLast("Ann"), "2 calls to gpt-x: 1,234 tokens in (900 from cache), 210 out, $0.0025")
	price = budget.Price{}
	s.say("Ann", "Hello again.")
	expect(t, s.whyLast("Ann"), "210 out, price unknown")

	silent := newStage(t, asks{func() scene.Voice { return unmetered{} }})
	silent.say("Ann", "Hello.")
	expect(t, silent.whyLast("Ann"), "No call of a model is on record.")
}

// unmetered is a voice that left no record of what it asked, as those of earlier versions.
type unmetered struct{}

func (unmetered) Name() string { return "model" }

func (unmetered) Reply(_ context.Context, s scene.Scene, _ func(string)) (scene.Reply, error) {
	return scene.Reply{Text: fmt.Sprintf("Hello, %s.", s.Person.Name), Voice: "model"}, nil
}
