package persona_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// promising is the plain voice, but for the replies that it is told to give.
type promising struct {
	scene.Voice
	says map[string]string
}

func (p promising) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	if n := len(s.Incoming); n > 0 && p.says[s.Incoming[n-1].Text] != "" {
		return scene.Reply{Text: p.says[s.Incoming[n-1].Text], Voice: "model"}, nil
	}
	return p.Voice.Reply(ctx, s, show)
}

func TestThePersonaBringsUpWhatItPromised(t *testing.T) {
	const vow = "I'll look for that soup recipe and send it to you"
	s := play(t, func(p *persona.Parts) {
		p.Voice = promising{plain.New(), map[string]string{"Do you know a good soup?": "Maybe. " + vow + ". Sleep well!"}}
	})
	s.say("ann", "I'm Ann. I will send you the photos.")
	s.say("ann", "Do you know a good soup?")
	s.close(1)
	loops := func() (own []model.Loop) {
		t.Helper()
		h, err := s.store.Log.Visibility(t.Context(), "tess", 1)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.store.Beliefs.Loops(t.Context(), h, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range all {
			if l.Own {
				own = append(own, l)
			}
		}
		return own
	}
	if got := loops(); len(got) != 1 || got[0].Kind != belief.LoopPromise || got[0].Text != vow {
		t.Fatalf("promised %+v", got)
	}
	s.clock.Advance(30 * time.Hour)
	if greeting := s.arrive("ann"); !strings.Contains(greeting, vow) {
		t.Errorf("the greeting %q does not bring up the promise", greeting)
	}
	s.say("ann", "hello again")
	s.close(2)
	s.clock.Advance(30 * time.Hour)
	if greeting := s.arrive("ann"); strings.Contains(greeting, vow) {
		t.Errorf("the promise is brought up again: %q", greeting)
	}
	s.say("ann", "What are my plans?")
	s.clock.Advance(100 * 24 * time.Hour)
	s.say("ann", "I'm back.")
	if got := loops(); len(got) != 0 {
		t.Errorf("still promised after 100 days: %+v", got)
	}
}
