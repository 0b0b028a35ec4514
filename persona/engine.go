package persona

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona/card"
	"familiar/persona/care"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/persona/session"
)

// Parts are the dependencies of an Engine.
type Parts struct {
	Card  *card.Card
	Store *memory.Store
	Voice scene.Voice
	// Model does background work between conversations. Its calls are already charged to its caps. It is nil without a
	// model.
	Model modelvoice.Model
	// EmbedQuery returns the query embedding of a text, or nil if it is not available in time. The function is nil
	// without an embedder.
	EmbedQuery func(ctx context.Context, text string) *recall.QueryEmbedding
	// Channels are the channels of this process. Rooms of other channels wait for the process that serves them.
	Channels []channels.Channel
	Settings Settings
	Now      func() time.Time
	// Jitter returns a duration between 0 and its argument, to spread retries.
	Jitter func(time.Duration) time.Duration
	// Random is the source of codes.
	Random io.Reader
	Log    *slog.Logger
}

// Settings are the operator's settings. The defaults are in package config.
type Settings struct {
	// SessionGap is the silence after which a new session starts.
	SessionGap time.Duration
	// GreetingGap is how long a person must have been away to be greeted.
	GreetingGap time.Duration
	// Quiet is how long a room must be silent before the persona replies. Cap is the longest that this may delay a
	// reply.
	Quiet, Cap time.Duration
	// RecallBudget bounds the recalled context in tokens, RecallLimit the number of memories in it.
	RecallBudget, RecallLimit int
	// RecentMessages is how many messages of the running session a voice sees at most.
	RecentMessages int
	// PromptBudget is the size of a reply prompt in tokens; 0 uses the default of package prompts. A session that
	// approaches its share is compacted.
	PromptBudget int
	// FilingBudget is the size in tokens of a prompt about an ended session; 0 uses the default of package prompts.
	FilingBudget int
	// Room, if set, returns both budgets as they are now: the windows of the models may not be known at the start.
	Room func() (prompt, filing int)
	// Proactive says when the persona may write first. The zero value never allows it.
	Proactive gate.ProactivePolicy
	// Zone is used for people whose timezone is unknown.
	Zone *time.Location
	// Contacts are whom people in danger can reach.
	Contacts care.Contacts
}

// sessions returns the settings of the session manager.
func (s Settings) sessions() session.Settings {
	return session.Settings{
		Gap: s.SessionGap, RecentMessages: s.RecentMessages, PromptBudget: s.PromptBudget, FilingBudget: s.FilingBudget, Room: s.Room, Zone: s.Zone,
	}
}

// Budgets returns the sizes of a reply prompt and of a prompt about an ended session, in tokens.
func (s Settings) Budgets() (prompt, filing int) { return s.sessions().Budgets() }

// Filing returns the size of a prompt about an ended session, in tokens.
func (s Settings) Filing() int {
	_, filing := s.Budgets()
	return filing
}

// Engine receives messages and answers them, with one ordered lane per room. All its state is in the store, so an
// engine continues after a crash where the record ends.
type Engine struct {
	Parts
	channels map[string]channels.Channel
	sender   *sender
	sessions *session.Manager

	mu    sync.Mutex
	lanes map[channels.Room]*lane
	// runCtx ends the lanes. It is nil while the engine is not running.
	runCtx context.Context
	wg     sync.WaitGroup
	// idleCond is signaled, with mu held, when a lane ends or the sender becomes idle.
	idleCond *sync.Cond
	// ready is closed once Run has woken the rooms with pending messages.
	ready chan struct{}
	// failed receives the first error that ends the engine.
	failed chan error
}

// New returns an engine. Run starts it.
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

// Sessions returns the session manager.
func (e *Engine) Sessions() *session.Manager { return e.sessions }

// Accept stores m durably and wakes its room. Channels call it for every event. It may be called before Run and from
// any goroutine, and it ignores an event that was delivered before.
func (e *Engine) Accept(ctx context.Context, m channels.Message) error {
	if m.Action == channels.Move {
		return e.moveRoom(ctx, m)
	}
	fresh, err := e.Store.Log.Accept(ctx, e.Card.Key, m)
	if err != nil {
		return fmt.Errorf("store message %s from %s: %w", m.ID, m.Room.Channel, err)
	}
	if !fresh {
		return nil
	}
	e.notifyLane(m)
	return e.burnCodes(ctx, m)
}

// Run answers messages until ctx ends, starting with those left pending. It returns when every lane has stopped;
// unanswered messages stay in the inbox. An engine runs once.
func (e *Engine) Run(ctx context.Context) error {
	defer e.sender.stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// The sender starts first, so that it knows which rooms have unsent messages: no preview may appear there before
	// they are sent.
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
		return fmt.Errorf("find rooms with unanswered messages: %w", err)
	}
	for _, room := range rooms {
		e.wake(room)
	}
	e.wg.Go(func() { e.watchQueues(ctx) })
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

// Drain blocks until the engine has started, no lane is working and everything that can be sent now has been sent, or
// until ctx ends.
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

// signalIdle makes Drain check again. It takes mu so that Drain cannot miss the signal between its check and its wait.
func (e *Engine) signalIdle() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idleCond.Broadcast()
}

// CatchUp runs the engine until everything pending is answered and sent, as far as its channels reach.
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

// fail ends the engine with err. Only the first error counts.
func (e *Engine) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	select {
	case e.failed <- err:
	default:
	}
}

// reaches reports whether this process can send to room.
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
