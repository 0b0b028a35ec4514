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

// Price is what a model costs, per million tokens read and written.
type Price struct{ In, Out float64 }

// Voice speaks as another voice does, and beside that compiles the prompt a model would have been given for the same
// answer, to count the tokens of every fiftieth. It shows every scene to whoever looks.
type Voice struct {
	scene.Voice
	model *modelvoice.Voice
	count *counter
	// mu is held while an answer is looked at: where the persona speaks first, rooms speak side by side.
	mu sync.Mutex
	// spoken is how many answers there were.
	spoken int
	// look is shown each scene with what was said in it.
	look func(scene.Scene, scene.Reply)
}

// pricedEach is of how many answers one has its prompt compiled: compiling takes several times as long as finding the
// plain words.
const pricedEach = 50

// Voice makes a voice that is watched out of plain.
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

// priced picks one in pricedEach answers, the same whichever of two is given first.
func priced(s scene.Scene, speech scene.Reply) bool {
	h := fnv.New32a()
	fmt.Fprint(h, s.Person.Name, s.Now.Unix(), speech.Text)
	return h.Sum32()%pricedEach == 0
}

// counter is a model that gives the answer it is told to and counts what it is asked. It is asked one thing at a time.
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
