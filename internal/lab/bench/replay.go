package bench

import (
	"context"
	"fmt"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/internal/lab/virtual"
	"familiar/memory"
	"familiar/persona"
	"familiar/persona/scene"
)

// replay ingests a conversation with the persona: each of its answers is a turn of the engine, at its time, in which the
// voice says what the transcript says.
func replay(ctx context.Context, parts RecallParts, store *memory.Store, t transcript.Transcript, clock *virtual.Clock) error {
	voice, network := &reciter{}, virtual.NewNetwork(transcript.Channel)
	parts.Voice, parts.Settings.Quiet = voice, 0
	var said []channels.Message
	answer := func() error {
		if _, err := store.Log.AcceptAll(ctx, parts.Card.Key, said); err != nil {
			return err
		}
		said = nil
		engine := persona.New(persona.Parts{ // an engine runs once
			Card: parts.Card, Store: store, Voice: voice, Channels: []channels.Channel{network}, Settings: parts.Settings,
			Now: clock.Now, Jitter: still, Log: discardLog,
		})
		return engine.CatchUp(ctx)
	}
	for _, m := range t.Messages {
		if len(said) > 0 && m.At.Sub(said[0].At) > parts.Settings.SessionGap { // left unanswered
			voice.next = ""
			if err := answer(); err != nil {
				return err
			}
		}
		if m.Direct = true; m.Author != t.Persona {
			m.Addressed = true
			clock.Pass(m.At)
			said = append(said, m)
			continue
		}
		if len(said) == 0 {
			return fmt.Errorf("%s: the persona speaks twice in a row or first: expected a message that it answers", m.ID)
		}
		clock.Pass(m.At)
		voice.next = m.Text
		if err := answer(); err != nil {
			return err
		}
	}
	voice.next = ""
	return answer()
}

// reciter is a voice that says what it is given.
type reciter struct{ next string }

// Name returns the name of the voice.
func (*reciter) Name() string { return "transcript" }

// Reply says the next text, whatever the scene is.
func (r *reciter) Reply(context.Context, scene.Scene, func(string)) (scene.Reply, error) {
	return scene.Reply{Text: r.next, Voice: r.Name()}, nil
}
