package persona

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/persona/card"
	"familiar/persona/command"
	"familiar/persona/route"
	"familiar/persona/session"
)

// Cast is the personas that one process serves. They share the channels, the inbox and the sender; each has its own
// engine, and one lane per room, so that one persona's turn never waits for another's.
type Cast struct {
	store    *memory.Store
	log      *slog.Logger
	channels map[string]channels.Channel
	sender   *sender
	// fleet is this process among those that answer from the memory, nil if it is the only one. wakes are the notes of others, and
	// missed reports that some were dropped.
	fleet  *fleet.Member
	wakes  chan fleet.Wake
	missed atomic.Bool
	pace   pace
	// reminded signals that a reminder was added.
	reminded chan struct{}
	// proposals is what waits for a yes of the person who gave a command.
	proposals *command.Proposals
	// listening are the messages whose recordings are being listened to.
	listening keyedLocks
	// keys are the personas' keys, sorted.
	keys []string

	mu sync.Mutex
	// engines are the engines as they are now, by the personas' keys. The keys never change.
	engines map[string]*Engine
	router  route.Router
	// chosen are the personas that people chose for their direct rooms; nil until it is read.
	chosen map[channels.Room]string
	// former are personas with messages in the inbox that this process does not serve.
	former []string
	// told has the personas of whose waiting messages the operator was told.
	told  map[string]bool
	lanes map[laneKey]*lane
	// runCtx ends the lanes. It is nil while the cast is not running.
	runCtx context.Context
	wg     sync.WaitGroup
	// idleCond is signaled, with mu held, when a lane ends or the sender becomes idle.
	idleCond *sync.Cond
	// ready is closed once Run has woken the rooms with pending messages.
	ready chan struct{}
	// connected has the channels whose network this process is connected with.
	connected map[string]bool
	// retired reports that other processes take over.
	retired bool
	// failed receives the first error that ends the cast.
	failed chan error
}

// laneKey names a lane: what one persona answers in one room.
type laneKey struct {
	persona string
	room    channels.Room
}

// NewCast returns a cast of at least one persona. They share the channels, the store and the log of the first. router
// decides whom a message is for; its names are those of the cards.
func NewCast(router route.Router, members ...Parts) *Cast {
	shared := members[0]
	c := &Cast{
		store: shared.Store, log: shared.Log, router: router,
		channels: make(map[string]channels.Channel, len(shared.Channels)),
		engines:  make(map[string]*Engine, len(members)),
		told:     make(map[string]bool),
		lanes:    make(map[laneKey]*lane),
		ready:    make(chan struct{}),
		reminded: make(chan struct{}, 1), proposals: command.NewProposals(shared.Store.Log),
		pace:   pace{rooms: make(map[channels.Room]*bucket)},
		failed: make(chan error, 1),
		fleet:  shared.Fleet, wakes: make(chan fleet.Wake, maxWakes), connected: make(map[string]bool),
	}
	for _, channel := range shared.Channels {
		c.channels[channel.Name()] = channel
	}
	c.idleCond = sync.NewCond(&c.mu)
	c.sender = newSender(shared, c.channels, c.signalIdle, c.recheckProactive)
	c.sender.speaker = func(persona string) Speaker {
		if e := c.Engine(persona); e != nil {
			return e.Speaker
		}
		return nil
	}
	c.sender.stands = c.stands
	for _, p := range members {
		c.engines[p.Card.Key] = c.engineOf(p)
	}
	c.keys = slices.Sorted(maps.Keys(c.engines))
	return c
}

func (c *Cast) engineOf(p Parts) *Engine {
	return &Engine{
		Parts: p, Cast: c,
		sessions: &session.Manager{Card: p.Card, Store: p.Store, Model: p.Model, Settings: p.Settings.sessions(), Log: p.Log},
	}
}

// Engine returns the engine of a persona as it is now, nil if the cast has no such persona.
func (c *Cast) Engine(key string) *Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.engines[key]
}

// Engines returns all engines as they are now, by key.
func (c *Cast) Engines() []*Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*Engine, len(c.keys))
	for i, key := range c.keys {
		all[i] = c.engines[key]
	}
	return all
}

// Renew gives a persona of the cast a new card and the settings that follow from it. Turns in progress keep theirs.
func (c *Cast) Renew(as *card.Card, s Settings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.engines[as.Key]
	if !ok {
		return
	}
	parts := e.Parts
	parts.Card, parts.Settings = as, s
	c.engines[as.Key] = c.engineOf(parts)
	c.router = c.router.Renewed(as.Key, as.Name, as.Adult)
}

// Router returns what decides whom a message is for.
func (c *Cast) Router() route.Router {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.router
}

// Run answers messages until ctx ends, starting with those left pending. It returns when every lane has stopped;
// unanswered messages stay in the inbox. A cast runs once.
func (c *Cast) Run(ctx context.Context) error {
	defer c.sender.stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// The sender starts first, so that it knows which rooms have unsent messages: no preview may appear there before
	// they are sent.
	if err := c.sender.start(ctx); err != nil && ctx.Err() == nil {
		c.fail(err)
	}
	c.mu.Lock()
	c.runCtx = ctx
	c.mu.Unlock()

	c.joinFleet()
	err := c.wakePending(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if !c.inOrder() {
		c.wg.Go(func() { c.watchQueues(ctx) })
		c.wg.Go(func() { c.watchReminders(ctx) })
	}
	c.wg.Go(func() { c.hearFleet(ctx) })
	close(c.ready)

	select {
	case <-ctx.Done():
	case err = <-c.failed:
		cancel(err)
	}
	c.mu.Lock()
	c.runCtx = nil
	c.mu.Unlock()
	c.idleCond.Broadcast()
	c.wg.Wait()
	return err
}

// inOrder reports whether the cast is part of a simulation.
func (c *Cast) inOrder() bool {
	return slices.ContainsFunc(c.Engines(), func(e *Engine) bool { return e.Settings.InOrder })
}

// Drain blocks until the cast has started, no lane is working and everything that can be sent now has been sent, or
// until ctx ends.
func (c *Cast) Drain(ctx context.Context) error {
	select {
	case <-c.ready:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	stop := context.AfterFunc(ctx, c.signalIdle)
	defer stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.lanes) > 0 || !c.sender.isIdle() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.runCtx == nil {
			return errors.New("drain: the personas have stopped")
		}
		c.idleCond.Wait()
	}
	return nil
}

// signalIdle makes Drain check again. It takes mu so that Drain cannot miss the signal between its check and its wait.
func (c *Cast) signalIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idleCond.Broadcast()
}

// CatchUp runs the cast until everything pending is answered and sent, as far as its channels reach.
func (c *Cast) CatchUp(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return c.Run(ctx) })
	g.Go(func() error {
		defer stop()
		return c.Drain(ctx)
	})
	return g.Wait()
}

// fail ends the cast with err. Only the first error counts.
func (c *Cast) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	select {
	case c.failed <- err:
	default:
	}
}

// reaches reports whether this process can send to room.
func (c *Cast) reaches(room channels.Room) bool {
	return reaches(c.channels, room)
}

func reaches(served map[string]channels.Channel, room channels.Room) bool {
	channel, ok := served[room.Channel]
	if !ok {
		return false
	}
	local, ok := channel.(channels.Local)
	return !ok || local.Reaches(room)
}
