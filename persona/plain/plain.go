package plain

import (
	"context"
	"errors"

	"familiar/persona/scene"
)

// Voice is the voice that needs no language model: it speaks from templates and memories. The same scene always gets
// the same reply.
type Voice struct{}

// New returns the plain voice.
func New() *Voice { return &Voice{} }

// Name returns "plain".
func (*Voice) Name() string { return "plain" }

// Reply answers the scene: it greets if a greeting is due, confirms what it learned, answers every question of the
// messages, and reacts if there is nothing else to say. It says so if it does not know something, and it knows nothing
// beyond the scene.
func (p *Voice) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	speech := scene.Reply{Voice: p.Name()}
	if err := ctx.Err(); err != nil {
		return speech, err
	}
	if s.Card == nil {
		return speech, errors.New("compose a plain reply: the scene has no card")
	}
	if len(s.Incoming) == 0 && s.Greeting == nil {
		return speech, errors.New("compose a plain reply: no message to answer and no greeting due")
	}
	c := newComposer(s)
	speech.Text = assembler{c}.compose()
	speech.Used, speech.Beliefs, speech.Quoted, speech.Exact = c.used, c.believed, c.quoted, true
	if show != nil {
		show(speech.Text)
	}
	return speech, nil
}
