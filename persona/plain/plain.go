package plain

import (
	"context"
	"errors"

	"familiar/persona/scene"
)

// Voice is the voice that needs no language model: it speaks from templates and from what is remembered. The same
// scene always gets the same words.
type Voice struct{}

// New makes the plain voice.
func New() *Voice { return &Voice{} }

// Name returns "plain".
func (*Voice) Name() string { return "plain" }

// Reply answers the scene: it greets when a greeting is due, confirms what it learned, answers every question of the
// folded messages, and reacts when there is nothing else to say. Nothing is kept from the room but what the scene
// leaves out; what it does not know it says it does not know.
func (p *Voice) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	speech := scene.Reply{Voice: p.Name()}
	if err := ctx.Err(); err != nil {
		return speech, err
	}
	if s.Card == nil {
		return speech, errors.New("speak plainly: the scene has no persona's card")
	}
	if len(s.Heard) == 0 && s.Greeting == nil {
		return speech, errors.New("speak plainly: nothing was heard and no greeting is due")
	}
	c := newComposer(s)
	speech.Text = assembler{c}.compose()
	speech.Used, speech.Beliefs, speech.Quoted, speech.Exact = c.used, c.believed, c.quoted, true
	if show != nil {
		show(speech.Text)
	}
	return speech, nil
}
