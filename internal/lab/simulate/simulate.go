// Package simulate lives through a year in a minute. People generated from a seed talk with the real engine over the
// real store, the real jobs run when they are due, and only the clock is simulated. Because the script knows what the
// people told, it can judge what the persona answers. The package is separate from the code that it measures.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/memory"

	"familiar/persona"
)

// Settings sets the people and the length of a life. The same settings give the same life.
type Settings struct {
	// Days and People are at least 1.
	Days, People int
	Seed         uint64
	// Start is midnight of the first day, in everybody's time zone.
	Start time.Time
	Price Price
	// Budget and Longest are the maximum sizes of a prompt and of an answer, in tokens, for the model whose cost is
	// estimated.
	Budget, Longest int
}

// Start is the default first day: a Monday, so that weeks are whole.
var Start = time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)

// World is everything outside the persona: the time, the people and their network.
type World struct {
	settings Settings
	clock    *virtual.Clock
	network  *virtual.Network
	script   []Line
	cast     []*Person
}

// New returns a world in which nobody has said anything.
func New(s Settings) (*World, error) {
	if s.Days < 1 || s.People < 1 {
		return nil, fmt.Errorf("simulate %d days of %d people: take at least 1 of each", s.Days, s.People)
	}
	if s.Start.IsZero() {
		s.Start = Start
	}
	words, err := readWordings()
	if err != nil {
		return nil, fmt.Errorf("read the wordings: %w", err)
	}
	cast := newCast(s)
	return &World{
		settings: s, clock: virtual.NewClock(s.Start), network: virtual.NewNetwork(networkName), cast: cast, script: newScript(s, cast, words),
	}, nil
}

// Now returns the world's time. It passes only while Live runs.
func (w *World) Now() time.Time { return w.clock.Now() }

// Channel returns the network of the world's people.
func (w *World) Channel() channels.Channel { return w.network }

// Parts holds the components that run in a world. All of them use its clock. Engine speaks on its channel with the
// voice from World.Voice.
type Parts struct {
	// Persona is the key of the card.
	Persona string
	Store   *memory.Store
	Engine  *persona.Engine
	// Voice is the engine's voice.
	Voice *Voice
	Jobs  []Job
	// Mood returns the persona's current mood, valence −1 to 1 and energy 0 to 1. It is nil if none is kept.
	Mood func(ctx context.Context) (valence, energy float64, err error)
}

// Live runs the world to its end and returns the report.
func (w *World) Live(ctx context.Context, p Parts) (Report, error) {
	runCtx, stop := context.WithCancel(ctx)
	defer stop()
	running := make(chan error, 1)
	go func() { running <- p.Engine.Run(runCtx) }()
	l := newLife(w, p)
	err := l.live(runCtx)
	stop()
	if ended := <-running; ended != nil && !errors.Is(ended, context.Canceled) {
		err = errors.Join(ended, err)
	}
	if err != nil {
		return Report{}, fmt.Errorf("simulate: %s: %w", w.Now().Format(time.DateTime), err)
	}
	return l.report(ctx)
}
