package memories_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/web/layout"
	"familiar/web/memories"
	"familiar/web/webtest"
)

// stage is a persona that listens on one network, and the dashboard of its store.
type stage struct {
	testing.TB
	store *memory.Store
	clock *memorytest.Clock
	pages http.Handler
	n     int
}

func newStage(t testing.TB) *stage {
	t.Helper()
	s := &stage{TB: t, clock: &memorytest.Clock{}}
	s.store = memorytest.OpenAt(t, s.clock)
	s.pages = dashboard(s.store, s.clock.Now)
	return s
}

func dashboard(store *memory.Store, now func() time.Time) http.Handler {
	shell := &layout.Shell{Now: now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler), Personas: func() []layout.Persona {
		return []layout.Persona{{Key: "tess", Name: "Tess"}, {Key: "kit", Name: "Kit"}}
	}}
	memories.Pages{Store: store, Now: now, Zone: time.UTC}.Mount(shell)
	return shell
}

// say has somebody say something to a persona in their direct room, and returns the memory of it.
func (s *stage) say(key, who, text string) model.Memory {
	s.Helper()
	return s.hear(key, s.message(who, text))
}

// message returns the next message of somebody in their direct room.
func (s *stage) message(who, text string) channels.Message {
	s.n++
	return channels.Message{
		ID: fmt.Sprintf("m%d", s.n), Room: channels.Room{Channel: "desk", ID: who}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "desk", ID: who}, Name: who}, Text: text, At: s.clock.Now(),
	}
}

func (s *stage) hear(key string, m channels.Message) model.Memory {
	s.Helper()
	engine := persona.New(persona.Parts{
		Card: &card.Card{Key: key, Name: key, Zone: time.UTC, Language: "en"}, Store: s.store, Voice: plain.New(), Channels: []channels.Channel{desk{}},
		Settings: persona.Settings{SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC},
		Now:      s.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(s.Context())
	ended := make(chan error, 1)
	go func() { ended <- engine.Run(ctx) }()
	err := errors.Join(engine.Accept(ctx, m), engine.Drain(ctx))
	stop()
	if err := errors.Join(err, <-ended); err != nil {
		s.Fatal(err)
	}
	s.clock.Advance(time.Minute)
	made, err := s.store.Entries.ListMemories(s.Context(), entry.MemoryFilter{Persona: key, Origin: model.OriginMessage, Limit: 1})
	if err != nil || len(made) == 0 || made[0].Text != m.Text {
		s.Fatalf("no memory was made of %q: %v %v", m.Text, made, err)
	}
	return made[0]
}

// tell has the operator tell a persona something for everybody.
func (s *stage) tell(key, text string) model.Memory {
	s.Helper()
	m, err := s.store.Entries.Remember(s.Context(), entry.NewMemory{
		Persona: key, Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic, Text: text, Salience: 0.7,
	})
	if err != nil {
		s.Fatal(err)
	}
	return m
}

// get returns a page that must be there.
func (s *stage) get(path string) webtest.Answer {
	s.Helper()
	a := webtest.Get(s, s.pages, webtest.Operator, path)
	if a.Status != http.StatusOK {
		s.Fatalf("%s answered %d: %s", path, a.Status, a.Text)
	}
	return a
}

// list returns the page of a list or a search.
func (s *stage) list(query url.Values) webtest.Answer {
	s.Helper()
	return s.get(layout.Path(query, "p", "tess", "memory"))
}

func expect(t testing.TB, in string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(in, part) {
			t.Errorf("%q is missing in:\n%s", part, in)
		}
	}
}

func refuse(t testing.TB, in string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(in, part) {
			t.Errorf("%q is in:\n%s", part, in)
		}
	}
}

// desk is a network that takes what is sent.
type desk struct{}

func (desk) Name() string { return "desk" }

func (desk) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

func (desk) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{ID: "sent-" + out.Key}, nil
}

// newer returns a newer version of what the operator told everybody.
func newer(old model.Memory, text string) entry.NewMemory {
	return entry.NewMemory{
		Persona: old.Persona, Audience: old.Audience, Origin: model.OriginOperator, Sector: old.Sector, Text: text, Salience: old.Salience, Supersedes: old.ID,
	}
}
