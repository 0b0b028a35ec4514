package compare

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// pace is the time between two messages.
const pace = 90 * time.Second

// stage is the stage of a story with everything said on it.
type stage struct {
	*virtual.Stage
	said []Said
}

// withStage creates the stage for a story, passes it to do and removes it. The plain voice speaks on it, so that every mind
// has the same past.
func withStage(ctx context.Context, parts Parts, s Scenario, do func(*stage) error) error {
	return virtual.Play(ctx, parts.Parts, s.Card, func(st *virtual.Stage) error {
		st.Ear.SpeakWith(plain.New())
		return do(&stage{Stage: st})
	})
}

// playHistory plays the sessions, and runs the jobs after each session and up to the probe.
func (st *stage) playHistory(ctx context.Context, s Scenario) error {
	for i, sitting := range s.Sessions {
		for n, text := range sitting.Says {
			at := sitting.At.Add(time.Duration(n) * pace)
			st.said = append(st.said, Said{With: sitting.With, Name: sitting.With, Text: text, At: at})
			_, speech, err := st.hear(ctx, sitting.With, text, at)
			if err != nil {
				return err
			}
			st.said = append(st.said, Said{With: sitting.With, Name: s.Card.Name, Self: true, Text: speech.Text, At: at})
		}
		until := s.Probe.At
		if i+1 < len(s.Sessions) {
			until = s.Sessions[i+1].At
		}
		if err := st.Rest(ctx, until); err != nil {
			return err
		}
	}
	return nil
}

// hear delivers a message from who in their direct room, or an arrival without a message, and waits for the answer.
func (st *stage) hear(ctx context.Context, who, text string, at time.Time) (scene.Scene, scene.Reply, error) {
	st.Clock.Pass(at)
	st.Ear.Forget()
	handle := strings.ToLower(who)
	err := st.Hear(ctx, channels.Message{
		ID: fmt.Sprintf("%s-%d", handle, at.Unix()), Room: channels.Room{Channel: virtual.Channel, ID: handle}, Direct: true,
		Author: channels.Author{Handle: channels.Handle{Channel: virtual.Channel, ID: handle}, Name: who},
		Text:   text, At: at, Addressed: text != "", Arrival: text == "",
	})
	scene, speech := st.Ear.Heard()
	return scene, speech, err
}
