package persona_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/persona"
)

// window is a desk that shows replies while they are written, and takes little at once.
type window struct {
	*desk
	mu    sync.Mutex
	shown []string
}

func (*window) Limits() channels.Limits { return channels.Limits{Text: 12, Idempotent: true} }

func (w *window) Preview(_ context.Context, _ channels.Room, key, _ string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown = append(w.shown, key)
	return nil
}

// aloud is a voice whose every answer takes more than one chunk, and is shown as it grows.
type aloud struct{ persona.Voice }

func (aloud) Speak(_ context.Context, _ persona.Scene, show func(string)) (persona.Speech, error) {
	show("A heron")
	return persona.Speech{Text: "A heron stood in the reeds.", Voice: "aloud"}, nil
}

// TestA7NoReplyIsShownBeforeTheEndOfTheOneBeforeIt has the second chunk of a reply wait, in this process and in the next,
// while another answer is written.
func TestA7NoReplyIsShownBeforeTheEndOfTheOneBeforeIt(t *testing.T) {
	var w *window
	serve := func(p *persona.Parts) {
		w = &window{desk: p.Channels[0].(*desk)}
		w.refuse = func(out channels.Outgoing) error {
			if out.Key[len(out.Key)-2:] == "-0" {
				return nil
			}
			return &channels.SendError{Kind: channels.RateLimited, RetryAfter: time.Hour, Err: errors.New("too many requests")}
		}
		p.Channels, p.Voice = []channels.Channel{w}, aloud{}
	}
	s := play(t, serve)
	s.say("ann", "I saw a heron.")
	if len(w.shown) != 1 {
		t.Fatalf("the first reply was shown %d times while it was written", len(w.shown))
	}
	s.say("ann", "Where was it?")
	if len(w.shown) != 1 {
		t.Error("the second reply is shown before the first has ended")
	}
	s.quit()
	again := playOn(t, s.store, s.clock, serve)
	again.say("ann", "Where was it?")
	if len(w.shown) != 0 {
		t.Error("the third reply is shown before the first has ended")
	}
	if said := again.say("bob", "I saw a heron."); said == "" || len(w.shown) != 1 {
		t.Error("bob waits for ann")
	}
}
