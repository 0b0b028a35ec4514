package persona

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/persona/session"
)

// Parts are what an Engine is made of.
type Parts struct {
	Card  *card.Card
	Store *memory.Store
	Voice scene.Voice
	// Model does the persona's own work between conversations, already charged to its caps; nil without one.
	Model modelvoice.Model
	// EmbedQuery is what a text means, nil when that cannot be told in time; nil itself without an embedder.
	EmbedQuery func(ctx context.Context, text string) *recall.QueryEmbedding
	// Channels are those this process serves. Rooms of other channels wait for the process that serves them.
	Channels []channels.Channel
	Settings Settings
	Now      func() time.Time
	// Jitter spreads a pause: it returns something between 0 and its argument.
	Jitter func(time.Duration) time.Duration
	Log    *slog.Logger
}

// Settings are the operator's numbers, with no defaults of their own: config has them.
type Settings struct {
	// SessionGap ends a session: longer silence starts a new one.
	SessionGap time.Duration
	// GreetingGap is how long someone must have been away to be greeted.
	GreetingGap time.Duration
	// Quiet is how long a room must be silent before it is answered, Cap the longest that may delay an answer.
	Quiet, Cap time.Duration
	// RecallBudget is the size of the recalled context in tokens, RecallLimit the most memories in it.
	RecallBudget, RecallLimit int
	// RecentMessages is how many messages of the running session a voice sees at most.
	RecentMessages int
	// PromptBudget is the size in tokens of the prompt of a reply, 0 for package prompts' default: a talk that nears its
	// share is folded.
	PromptBudget int
	// FilingBudget is the size in tokens of a prompt about a finished talk, 0 for package prompts' default.
	FilingBudget int
	// Proactive says when the persona may write first; the zero value never lets it.
	Proactive gate.ProactivePolicy
	// Zone is used for people whose timezone is not known.
	Zone *time.Location
}

// sessions returns the settings of the running and the ended talks.
func (s Settings) sessions() session.Settings {
	return session.Settings{
		Gap: s.SessionGap, RecentMessages: s.RecentMessages, PromptBudget: s.PromptBudget, FilingBudget: s.FilingBudget, Zone: s.Zone,
	}
}

// Engine hears messages and answers them, one ordered lane per room. What it knows is in the store: an engine that
// dies and starts again continues where the record ends.
type Engine struct {
	Parts
	channels map[string]channels.Channel
	sender   *sender
	sessions *session.Manager

	mu    sync.Mutex
	lanes map[channels.Room]*lane
	// runCtx ends the lanes; nil while the engine does not run.
	runCtx context.Context
	wg     sync.WaitGroup
	// idleCond is signalled, with mu, whenever a lane ends or the sender has nothing left to do.
	idleCond *sync.Cond
	// ready is closed once Run has woken the rooms it found waiting.
	ready chan struct{}
	// failed takes the first error that ends the engine.
	failed chan error
}

// New makes an engine; Run starts it.
func New(p Parts) *Engine {
	e := &Engine{
		Parts:    p,
		channels: make(map[string]channels.Channel, len(p.Channels)),
		lanes:    make(map[channels.Room]*lane),
		ready:    make(chan struct{}),
		failed:   make(chan error, 1),
	}
	for _, c := range p.Channels {
		e.channels[c.Name()] = c
	}
	e.idleCond = sync.NewCond(&e.mu)
	e.sessions = &session.Manager{Card: p.Card, Store: p.Store, Model: p.Model, Settings: p.Settings.sessions(), Log: p.Log}
	e.sender = newSender(p, e.channels, e.signalIdle, e.recheckProactive)
	return e
}

// Sessions returns the keeper of the persona's sessions.
func (e *Engine) Sessions() *session.Manager { return e.sessions }

// Accept is the channels' way in: it makes m durable and wakes its room. It may be called before Run and from any
// goroutine; the same event may be handed over any number of times.
func (e *Engine) Accept(ctx context.Context, m channels.Message) error {
	if m.Action == channels.Move {
		return e.moveRoom(ctx, m)
	}
	fresh, err := e.Store.Log.Accept(ctx, e.Card.Key, m)
	if err != nil {
		return fmt.Errorf("keep message %s from %s: %w", m.ID, m.Room.Channel, err)
	}
	if fresh {
		e.notifyLane(m)
	}
	return nil
}

// Run answers until ctx ends: first what was left pending, then what is heard. It returns when every lane has
// stopped; what was not answered stays in the inbox. An engine runs once.
func (e *Engine) Run(ctx context.Context) error {
	defer e.sender.stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// First of all it is known where something is left to say: no reply is shown there before it is said.
	if err := e.sender.start(ctx); err != nil && ctx.Err() == nil {
		e.fail(err)
	}
	e.mu.Lock()
	e.runCtx = ctx
	e.mu.Unlock()

	rooms, err := e.Store.Log.PendingRooms(ctx, e.Card.Key)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for unanswered messages: %w", err)
	}
	for _, room := range rooms {
		e.wake(room)
	}
	close(e.ready)

	select {
	case <-ctx.Done():
	case err = <-e.failed:
		cancel(err)
	}
	e.mu.Lock()
	e.runCtx = nil
	e.mu.Unlock()
	e.idleCond.Broadcast()
	e.wg.Wait()
	return err
}

// Drain blocks until the engine has started, no lane works and nothing is left that can be sent now, or ctx ends.
func (e *Engine) Drain(ctx context.Context) error {
	select {
	case <-e.ready:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	stop := context.AfterFunc(ctx, e.signalIdle)
	defer stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.lanes) > 0 || !e.sender.isIdle() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.runCtx == nil {
			return errors.New("drain: the engine has stopped")
		}
		e.idleCond.Wait()
	}
	return nil
}

// signalIdle makes Drain look again. It takes mu, so that nobody who has looked and not yet waits can miss it.
func (e *Engine) signalIdle() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idleCond.Broadcast()
}

// CatchUp runs the engine until everything that waits has been dealt with and sent, as far as its channels reach.
func (e *Engine) CatchUp(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return e.Run(ctx) })
	g.Go(func() error {
		defer stop()
		return e.Drain(ctx)
	})
	return g.Wait()
}

// fail ends the engine with err; only the first one counts.
func (e *Engine) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	select {
	case e.failed <- err:
	default:
	}
}

// reaches reports whether this process can speak in room.
func (e *Engine) reaches(room channels.Room) bool {
	return reaches(e.channels, room)
}

func reaches(served map[string]channels.Channel, room channels.Room) bool {
	c, ok := served[room.Channel]
	if !ok {
		return false
	}
	local, ok := c.(channels.Local)
	return !ok || local.Reaches(room)
}
