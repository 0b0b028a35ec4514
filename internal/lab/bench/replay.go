package bench

import (
	"context"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/memory"
	"familiar/persona"
	"familiar/persona/scene"
)

// replay ingests a conversation with the persona: each of its answers is a turn of the engine, at its time, in which the
// voice says what the transcript says.
func replay(ctx context.Context, parts RecallParts, store *memory.Store, t transcript.Transcript, clock *clock) error {
	voice := &reciter{}
	parts.Voice, parts.Settings.Quiet = voice, 0
	var said []channels.Message
	answer := func() error {
		if _, err := store.Log.AcceptAll(ctx, parts.Card.Key, said); err != nil {
			return err
		}
		said = nil
		engine := persona.New(persona.Parts{ // an engine runs once
			Card: parts.Card, Store: store, Voice: voice, Channels: []channels.Channel{&discard{}}, Settings: parts.Settings,
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
			clock.at, said = m.At, append(said, m)
			continue
		}
		if len(said) == 0 {
			return fmt.Errorf("%s: the persona speaks twice in a row or first: expected a message that it answers", m.ID)
		}
		clock.at, voice.next = m.At, m.Text
		if err := answer(); err != nil {
			return err
		}
	}
	voice.next = ""
	return answer()
}

// clock is the time of a replayed conversation, the real time if at is zero. It is set only between turns.
type clock struct{ at time.Time }

// clockOf returns the clock for ingesting t.
func clockOf(t transcript.Transcript) *clock {
	if t.Persona == (channels.Author{}) {
		return &clock{}
	}
	return &clock{at: t.Messages[0].At}
}

// Now returns the time.
func (c *clock) Now() time.Time {
	if c.at.IsZero() {
		return time.Now()
	}
	return c.at
}

// reciter is a voice that says what it is given.
type reciter struct{ next string }

// Name returns the name of the voice.
func (*reciter) Name() string { return "transcript" }

// Reply says the next text, whatever the scene is.
func (r *reciter) Reply(context.Context, scene.Scene, func(string)) (scene.Reply, error) {
	return scene.Reply{Text: r.next, Voice: r.Name()}, nil
}

// discard is the channel of transcripts with a persona. It shows nothing.
type discard struct{ mute }

// Limits returns limits that declare the channel idempotent: it shows each key once.
func (*discard) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Send discards a chunk.
func (*discard) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{ID: out.Key}, nil
}
