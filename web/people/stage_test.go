package people_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/link"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/web/layout"
	"familiar/web/people"
	"familiar/web/webtest"
)

// stage is two personas that share a store and talk on one network, and the dashboard.
type stage struct {
	t      testing.TB
	store  *memory.Store
	clock  *memorytest.Clock
	engine map[string]*persona.Engine
	pages  http.Handler
	n      int
}

func newStage(t testing.TB) *stage {
	t.Helper()
	s := &stage{t: t, clock: &memorytest.Clock{}, engine: map[string]*persona.Engine{}}
	s.store = memorytest.OpenAt(t, s.clock)
	for _, key := range []string{"tess", "kit"} {
		s.engine[key] = s.start(key)
	}
	shell := &layout.Shell{
		Now: s.clock.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
		Personas: func() []layout.Persona {
			return []layout.Persona{{Key: "tess", Name: "Tess"}, {Key: "kit", Name: "Kit"}}
		},
	}
	(&people.Pages{Store: s.store, Now: s.clock.Now, Zone: time.UTC, Actions: people.Actions{
		Mind: func(key string) (people.Mind, error) { return s.engine[key].Imagined(), nil },
		Erase: func(ctx context.Context, p model.Person) (people.Erased, error) {
			gone, err := s.store.Eraser.ErasePerson(ctx, p.ID)
			return people.Erased{Done: err == nil, Gone: gone, Named: []people.Named{{Where: "memory 7", Remove: "forget it"}}}, err
		},
		Join: func(ctx context.Context, key string, both [2]model.Person) error {
			return s.store.Links.Join(ctx, both[0].ID, both[1].ID, key)
		},
		Part: func(ctx context.Context, key string, p model.Person, channel string) error {
			_, err := s.store.Links.Separate(ctx, p.ID, channel, key, func(link.Separated) []link.Notice { return nil })
			return err
		},
	}}).Mount(shell)
	s.pages = shell
	return s
}

// start runs a persona until the test ends.
func (s *stage) start(key string) *persona.Engine {
	engine := persona.New(persona.Parts{
		Card:  &card.Card{Key: key, Name: strings.ToUpper(key[:1]) + key[1:], Description: "Listens.", Zone: time.UTC, Language: "en"},
		Store: s.store, Voice: plain.New(), Channels: []channels.Channel{desk{"desk"}, desk{"other"}},
		Settings: persona.Settings{SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC},
		Now:      s.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- engine.Run(ctx) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	return engine
}

// say has somebody say something to Tess alone.
func (s *stage) say(who, text string) { s.t.Helper(); s.tell("tess", who, "", text) }

// tell has somebody say something to a persona, in a group unless its name is empty.
func (s *stage) tell(key, who, group, text string) {
	s.t.Helper()
	s.hear(key, s.message(key, who, group, text))
}

// hear has a persona hear a message and waits until it is answered.
func (s *stage) hear(key string, m channels.Message) {
	s.t.Helper()
	if err := s.engine[key].Accept(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	if err := s.engine[key].Drain(ctx); err != nil {
		s.t.Fatal(err)
	}
	s.clock.Advance(time.Minute)
}

// message returns the next message of somebody to a persona.
func (s *stage) message(key, who, group, text string) channels.Message {
	s.n++
	m := channels.Message{
		ID: fmt.Sprintf("m%d", s.n), Room: channels.Room{Channel: "desk", ID: who + "-" + key}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "desk", ID: who}, Name: who}, Text: text, At: s.clock.Now(),
	}
	if group != "" {
		m.Room.ID, m.RoomTitle, m.Direct = group, group, false
	}
	return m
}

// id returns the number of somebody.
func (s *stage) id(who string) int64 {
	s.t.Helper()
	p, err := s.store.Log.PersonByHandle(s.t.Context(), channels.Handle{Channel: "desk", ID: who})
	if err != nil {
		s.t.Fatal(err)
	}
	return p.ID
}

// path returns the path of a page about somebody.
func (s *stage) path(who string, rest string) string {
	s.t.Helper()
	return fmt.Sprintf("/p/tess/people/%d%s", s.id(who), rest)
}

// get returns a page that must be there.
func (s *stage) get(path string) webtest.Answer {
	s.t.Helper()
	a := webtest.Get(s.t, s.pages, webtest.Operator, path)
	if a.Status != http.StatusOK {
		s.t.Fatalf("%s answered %d: %s", path, a.Status, a.Text)
	}
	return a
}

func (s *stage) shows(path string, parts ...string) {
	s.t.Helper()
	a := s.get(path)
	for _, part := range parts {
		if !strings.Contains(a.Text, part) {
			s.t.Errorf("%s does not show %q: %s", path, part, a.Text)
		}
	}
}

func (s *stage) hides(path string, parts ...string) {
	s.t.Helper()
	a := s.get(path)
	for _, part := range parts {
		if strings.Contains(a.Body, part) {
			s.t.Errorf("%s shows %q: %s", path, part, a.Text)
		}
	}
}

// desk is a network that takes everything.
type desk struct{ name string }

func (d desk) Name() string { return d.name }

func (desk) Limits() channels.Limits { return channels.Limits{} }

func (desk) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

func (desk) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{ID: "sent-" + out.Key}, nil
}
