package persona_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// shown is a plain voice that records the last prompt of its scene.
type shown struct {
	scene.Voice
	prompt string
}

func (v *shown) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	p := modelvoice.ReplyPrompt(s)
	v.prompt = ""
	for _, m := range p.Messages {
		v.prompt += m.Text + "\n"
	}
	return v.Voice.Reply(ctx, s, show)
}

// TestReturningPeopleAreKnown has two people tell things, and checks the scene when one comes back.
func TestReturningPeopleAreKnown(t *testing.T) {
	voice := &shown{Voice: plain.New()}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	s.say("ann", "I mend church organs for a living.")
	s.say("ann", "My left ankle is broken.")
	s.clock.Advance(time.Minute)
	s.say("ann", "It is the right ankle, not the left.")
	s.say("bob", "I hide my savings in the piano.")
	s.clock.Advance(48 * time.Hour)
	s.say("ann", "hey")
	for _, want := range []string{"I mend church organs", "It is the right ankle, not the left"} {
		if !strings.Contains(voice.prompt, want) {
			t.Errorf("%q is not in front of the voice:\n%s", want, voice.prompt)
		}
	}
	if strings.Contains(voice.prompt, "[") {
		t.Errorf("a mark is in front of the voice:\n%s", voice.prompt)
	}
	if strings.Contains(voice.prompt, "savings") {
		t.Errorf("what Bob told is in front of the voice:\n%s", voice.prompt)
	}

	s.clock.Advance(48 * time.Hour)
	voice.prompt = ""
	m := s.message("ann", "hey")
	m.Room, m.Direct = channels.Room{Channel: "desk", ID: "club"}, false
	if s.answer(m); voice.prompt == "" || strings.Contains(voice.prompt, "organs") {
		t.Errorf("in a group the voice is given:\n%s", voice.prompt)
	}
}
