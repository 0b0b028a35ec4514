package virtual

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"familiar/channels"
	"familiar/internal/lab/place"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/scheduler"
)

// Parts holds the components with which a story is played.
type Parts struct {
	Settings persona.Settings
	// Furnish creates the components for the home of a story.
	Furnish func(Home) (Furniture, error)
}

// Home is the environment of one story: a new store, and a clock that shows the time of the story.
type Home struct {
	Card  *card.Card
	Store *memory.Store
	Now   func() time.Time
}

// Furniture holds the components of a home.
type Furniture struct {
	Voice scene.Voice
	// Model does the persona's own work. It may be nil.
	Model modelvoice.Model
	// Near returns the embedding of a text. It is nil without an embedder.
	Near func(ctx context.Context, text string) *recall.QueryEmbedding
	// Scheduler returns the scheduler of the jobs that run between the sessions.
	Scheduler func(*persona.Engine) (*scheduler.Scheduler, error)
}

// Stage is a running persona in a home of its own, with the story's clock.
type Stage struct {
	Home
	Furniture
	Clock *Clock
	// Ear is the persona's voice: Furniture.Voice, or another.
	Ear *Ear
	// Out has what the persona says.
	Out *Network
	// Faults lists the jobs that failed, with their errors.
	Faults []string

	engine *persona.Engine
	jobs   *scheduler.Scheduler
	// settle is the time after the last message at which a session is over.
	settle time.Duration
}

// Channel is the network on which everybody in a story talks.
const Channel = "story"

// Play creates a temporary home for a story whose persona has a card, runs the persona in it until do returns, and removes
// the home.
func Play(ctx context.Context, parts Parts, c *card.Card, do func(*Stage) error) (err error) {
	dir, err := os.MkdirTemp("", "familiar-story-")
	if err != nil {
		return fmt.Errorf("make a directory for the story: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	st := &Stage{Clock: NewClock(time.Time{}), Out: NewNetwork(Channel), settle: parts.Settings.SessionGap + time.Minute}
	address, remove, err := place.New(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	store, err := memory.Open(ctx, address, memory.Options{
		Now: st.Clock.Now, DecayRates: map[string]model.Rates{c.Key: c.Rates}, NoSync: true,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	store.Recall.SetLanguage(c.Key, c.Language)
	st.Home = Home{Card: c, Store: store, Now: st.Clock.Now}
	if st.Furniture, err = parts.Furnish(st.Home); err != nil {
		return err
	}
	st.Ear = &Ear{voice: st.Voice}
	settings := parts.Settings
	settings.Quiet = 0 // everybody waits for their answer, so there is nothing to batch
	st.engine = persona.New(persona.Parts{
		Card: c, Store: store, Voice: st.Ear, Model: st.Model, EmbedQuery: st.Near, Channels: []channels.Channel{st.Out},
		Settings: settings, Now: st.Clock.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if st.jobs, err = st.Scheduler(st.engine); err != nil {
		return err
	}
	return While(ctx, st.engine, func() error { return do(st) })
}

// Hear delivers a message and waits until it is answered.
func (st *Stage) Hear(ctx context.Context, m channels.Message) error {
	if err := st.engine.Accept(ctx, m); err != nil {
		return err
	}
	return st.engine.Drain(ctx)
}

// Rest runs the jobs from the end of the last session to a time. A job that fails is reported and does not stop the story.
func (st *Stage) Rest(ctx context.Context, until time.Time) error {
	return st.Clock.RunJobs(ctx, st.jobs, st.Clock.Now().Add(st.settle), until, func(job string, at time.Time, err error) {
		st.Faults = append(st.Faults, fmt.Sprintf("job %s of %s: %v", job, at.Format(time.DateTime), err))
	})
}
