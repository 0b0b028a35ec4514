package persona_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"

	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
)

// testCard is a persona for tests.
func testCard() *card.Card {
	return &card.Card{
		Key: "tess", Name: "Tess", Description: "A test pilot who listens.", Zone: time.UTC, Language: "en",
		Traits: []card.Trait{{Name: "curious", Strength: 0.8}}, Greetings: []string{"Good to see you, {name}."},
	}
}

// testSettings answer at once.
func testSettings() persona.Settings {
	return persona.Settings{
		SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC,
	}
}

// stage is a running engine with one channel.
type stage struct {
	t      testing.TB
	store  *memory.Store
	engine *persona.Engine
	desk   *desk
	clock  *memorytest.Clock
	n      int
	stop   context.CancelFunc
	ended  chan error
}

// play starts an engine on a real store. tweak may change its parts before it starts.
func play(t testing.TB, tweak func(*persona.Parts)) *stage {
	t.Helper()
	clock := &memorytest.Clock{}
	return playOn(t, memorytest.OpenAt(t, clock), clock, tweak)
}

func playOn(t testing.TB, store *memory.Store, clock *memorytest.Clock, tweak func(*persona.Parts)) *stage {
	t.Helper()
	s := &stage{t: t, store: store, desk: &desk{}, clock: clock, ended: make(chan error, 1)}
	parts := persona.Parts{
		Card: testCard(), Store: store, Voice: plain.New(), Channels: []channels.Channel{s.desk},
		Settings: testSettings(), Now: clock.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Random: rand.Reader,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	if tweak != nil {
		tweak(&parts)
	}
	s.engine = persona.New(parts)
	ctx, cancel := context.WithCancel(t.Context())
	s.stop = cancel
	go func() { s.ended <- s.engine.Run(ctx) }()
	t.Cleanup(s.quit)
	return s
}

// quit ends the engine as a shutdown would.
func (s *stage) quit() {
	s.stop()
	err := <-s.ended
	s.ended <- err
	if err != nil {
		s.t.Error(err)
	}
}

// message returns the person's next message in their direct room.
func (s *stage) message(who, text string) channels.Message {
	s.n++
	return channels.Message{
		ID: fmt.Sprintf("m%d", s.n), Room: channels.Room{Channel: "desk", ID: who}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "desk", ID: who}, Name: who}, Text: text, At: s.clock.Now(),
	}
}

// hear delivers a message without waiting for the answer.
func (s *stage) hear(m channels.Message) {
	s.t.Helper()
	if err := s.engine.Accept(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
}

// say delivers a message and returns the answers until the engine is idle.
func (s *stage) say(who, text string) string {
	s.t.Helper()
	return s.answer(s.message(who, text))
}

func (s *stage) answer(m channels.Message) string {
	s.t.Helper()
	before := s.desk.count(m.Room)
	s.hear(m)
	s.rest()
	var all string
	for _, out := range s.desk.in(m.Room)[before:] {
		all += out.Text
	}
	return all
}

// arrive opens a person's room without a message and returns the greeting.
func (s *stage) arrive(who string) string {
	s.t.Helper()
	m := s.message(who, "")
	m.Arrival, m.Addressed = true, false
	return s.answer(m)
}

// rest waits until the engine is idle.
func (s *stage) rest() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	if err := s.engine.Drain(ctx); err != nil {
		s.t.Fatal(err)
	}
}

// desk is a channel that records what is sent.
type desk struct {
	mu   sync.Mutex
	sent []channels.Outgoing
	// refuse, if set, decides what a send returns.
	refuse func(channels.Outgoing) error
}

func (*desk) Name() string { return "desk" }

func (*desk) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

func (d *desk) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

func (d *desk) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuse != nil {
		if err := d.refuse(out); err != nil {
			return channels.Receipt{}, err
		}
	}
	for _, s := range d.sent {
		if s.Key == out.Key {
			return channels.Receipt{ID: out.Key}, nil
		}
	}
	d.sent = append(d.sent, out)
	return channels.Receipt{ID: out.Key}, nil
}

func (d *desk) in(room channels.Room) (out []channels.Outgoing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sent {
		if s.Room == room {
			out = append(out, s)
		}
	}
	return out
}

func (d *desk) count(room channels.Room) int { return len(d.in(room)) }

// stuck makes the store refuse a change, named as in SQLite's triggers, until free.
func (s *stage) stuck(change string) (free func()) {
	s.t.Helper()
	db := memorytest.SQL(s.t, s.store.Path())
	s.t.Cleanup(func() { db.Close() })
	run := func(statement string) {
		s.t.Helper()
		if _, err := db.Exec(statement); err != nil {
			s.t.Fatal(err)
		}
	}
	if !memorytest.OnPostgres() {
		run(`CREATE TRIGGER stuck ` + change + ` BEGIN SELECT raise(ABORT, 'stuck'); END`)
		return func() { run(`DROP TRIGGER stuck`) }
	}
	run(`CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stuck'; END $$`)
	what, when, conditional := strings.Cut(change, " WHEN ")
	if conditional {
		when = "WHEN (" + when + ")"
	}
	run(`CREATE TRIGGER stuck ` + what + ` FOR EACH ROW ` + when + ` EXECUTE FUNCTION stuck()`)
	return func() { run(`DROP FUNCTION stuck CASCADE`) }
}
