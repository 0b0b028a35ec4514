package conversations_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/prompts"
	"familiar/web/conversations"
	"familiar/web/layout"
)

// stage is a persona that talks on one network, and the dashboard of its store.
type stage struct {
	t      testing.TB
	store  *memory.Store
	engine *persona.Engine
	desk   *desk
	clock  *memorytest.Clock
	pages  http.Handler
	n      int
}

// newStage opens a store for two personas, of which Tess talks.
func newStage(t testing.TB, voice scene.Voice) *stage {
	t.Helper()
	s := &stage{t: t, clock: &memorytest.Clock{}, desk: &desk{}}
	s.store = memorytest.OpenAt(t, s.clock)
	if voice == nil {
		voice = plain.New()
	}
	s.engine = persona.New(persona.Parts{
		Card:  &card.Card{Key: "tess", Name: "Tess", Description: "A test pilot who listens.", Zone: time.UTC, Language: "en"},
		Store: s.store, Voice: voice, Channels: []channels.Channel{s.desk},
		Settings: persona.Settings{SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC},
		Now:      s.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.engine.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	shell := &layout.Shell{
		Now: s.clock.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
		Personas: func() []layout.Persona {
			return []layout.Persona{{Key: "tess", Name: "Tess"}, {Key: "kit", Name: "Kit"}}
		},
	}
	conversations.Pages{Prompt: func(ctx context.Context, _ string, person model.Person, room model.Room, text string) (prompts.Prompt, error) {
		return s.engine.PromptFor(ctx, person, room, text)
	}}.Mount(shell, s.store)
	s.pages = shell
	return s
}

// message returns the next message of somebody in their direct room.
func (s *stage) message(who, text string) channels.Message {
	s.n++
	return channels.Message{
		ID: fmt.Sprintf("m%d", s.n), Room: channels.Room{Channel: "desk", ID: who}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "desk", ID: who}, Name: who}, Text: text, At: s.clock.Now(),
	}
}

// say has somebody say something and waits for the answer.
func (s *stage) say(who, text string) {
	s.t.Helper()
	s.hear(s.message(who, text))
}

// hear delivers a message and waits until it is answered.
func (s *stage) hear(m channels.Message) {
	s.t.Helper()
	if err := s.engine.Accept(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	if err := s.engine.Drain(ctx); err != nil {
		s.t.Fatal(err)
	}
	s.clock.Advance(time.Minute)
}

// desk is a network that takes what is sent, or refuses it.
type desk struct {
	mu     sync.Mutex
	refuse error
}

func (*desk) Name() string { return "desk" }

func (*desk) Limits() channels.Limits { return channels.Limits{} }

func (*desk) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

func (d *desk) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return channels.Receipt{ID: "sent-" + out.Key}, d.refuse
}

func (d *desk) refuseWith(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse = err
}
