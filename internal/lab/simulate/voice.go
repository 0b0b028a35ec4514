package simulate

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"

	"familiar/internal/tokens"
	"familiar/memory"

	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

// Price is the price of a model per million tokens read and written.
type Price struct{ In, Out float64 }

// Voice wraps another voice. For every fiftieth answer it also compiles the prompt that a model would get for the same
// answer, to count its tokens. It shows every scene to the observer.
type Voice struct {
	scene.Voice
	model *modelvoice.Voice
	count *counter
	// mu is held while an answer is examined, because rooms speak concurrently when the persona speaks first.
	mu sync.Mutex
	// spoken is the number of answers.
	spoken int
	// look receives each scene with the reply to it.
	look func(scene.Scene, scene.Reply)
}

// pricedEach is the number of answers per compiled prompt. Compiling takes several times as long as finding the plain
// words.
const pricedEach = 50

// Voice returns a voice that wraps and observes plain.
func (w *World) Voice(plain scene.Voice, store *memory.Store, key string) *Voice {
	count := &counter{}
	meter := modelvoice.Meter{Store: store, Persona: key, Now: w.Now, Zone: w.settings.Start.Location()}
	return &Voice{
		Voice: plain, count: count,
		model: modelvoice.NewVoice(count, meter, w.settings.Budget, w.settings.Longest),
	}
}

// Reply implements persona.Voice.
func (v *Voice) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	speech, err := v.Voice.Reply(ctx, s, show)
	if err != nil || speech.Text == "" {
		return speech, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.spoken++
	if priced(s, speech) {
		v.count.answer = speech.Text
		if _, err := v.model.Reply(ctx, s, nil); err != nil {
			return speech, err
		}
	}
	if v.look != nil {
		v.look(s, speech)
	}
	return speech, nil
}

// priced selects one in pricedEach answers, independently of the order in which answers are given.
func priced(s scene.Scene, speech scene.Reply) bool {
	h := fnv.New32a()
	fmt.Fprint(h, s.Person.Name, s.Now.Unix(), speech.Text)
	return h.Sum32()%pricedEach == 0
}

// counter is a model that returns a given answer and counts its input. It is not safe for concurrent use.
type counter struct {
	answer              string
	calls               int
	tokensIn, tokensOut int
}

// Generate implements persona.Model.
func (c *counter) Generate(_ context.Context, p prompts.Prompt, _ func(string)) (prompts.Answer, error) {
	in, out := p.Tokens(), tokens.Estimate(c.answer)
	c.calls++
	c.tokensIn += in
	c.tokensOut += out
	return prompts.Answer{Text: c.answer, TokensIn: in, TokensOut: out, Estimated: true, Stop: prompts.StopEnd}, nil
}
