// Package whatsapp is the WhatsApp adapter: a linked device of somebody's account, over whatsmeow. The protocol is
// unofficial; an account that is used like a machine is banned, so the adapter writes little unasked and slowly.
package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/store"

	"familiar/channels"
)

// Name is the channel's name.
const Name = "whatsapp"

// textLimit is where a text is cut, in runes. WhatsApp takes more; nobody reads more in one bubble.
const textLimit = 4000

// Options are what the adapter is told.
type Options struct {
	// Database is the path of the session: the keys of the linked device. Whoever has it is the device, so it is
	// readable by its owner alone and used by one process at a time.
	Database string
	// ReadReceipts shows people the blue ticks once a message is durable.
	ReadReceipts bool
	// Self hears the chat in which the owner of the account writes to themselves.
	Self bool
	Host channels.Host
	Log  *slog.Logger
	// HTTP reaches the network; nil for a client of its own.
	HTTP *http.Client
}

// Channel is the adapter. It stands on nothing until Run.
type Channel struct {
	opts  Options
	host  channels.Host
	log   *slog.Logger
	notes *notes
	pace  pace
	// idleAfter is how long nothing must happen until the account is shown as away.
	idleAfter time.Duration

	mu      sync.Mutex
	line    *line
	state   channels.State
	changed chan struct{} // closed when the state changes

	typingMu sync.Mutex
	typing   map[channels.Room]time.Time
}

// New makes the adapter. It fails if the session cannot be opened; that there is none yet is told by Run.
func New(ctx context.Context, o Options) (*Channel, error) {
	s, err := openSession(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := s.close(); err != nil {
		return nil, err
	}
	return &Channel{
		opts: o, host: o.Host, log: o.Log, notes: newNotes(o.Host), idleAfter: 5 * time.Minute,
		changed: make(chan struct{}), typing: make(map[channels.Room]time.Time),
	}, nil
}

// Name implements channels.Channel.
func (c *Channel) Name() string { return Name }

// Limits implements channels.Limited. A message sent again under its id replaces itself on every phone.
func (c *Channel) Limits() channels.Limits {
	return channels.Limits{Text: textLimit, Unit: channels.Runes, Format: format, Idempotent: true}
}

// Run implements channels.Channel. Within it the SDK reconnects by itself; it ends with ctx, with a *channels.StateError
// if only the operator can help, and else with an error after which it can be run again. A temporary ban is waited out.
func (c *Channel) Run(ctx context.Context, accept channels.Accept) error {
	s, err := openSession(ctx, c.opts)
	if err != nil {
		return unless(ctx, err)
	}
	for {
		err = c.serve(ctx, s, accept)
		var b *ban
		if !errors.As(err, &b) {
			break
		}
		if noted := c.notes.put(ctx, bannedKey, fmt.Sprint(b.until.Unix())); noted != nil {
			err = noted // without the note it would come back at once
			break
		}
	}
	if fatal, ok := errors.AsType[*channels.StateError](err); ok {
		c.report(fatal.State)
		if fatal.State.Phase == channels.LoggedOut {
			fatal.Err = s.forget(context.WithoutCancel(ctx))
		}
	}
	if closing := s.close(); err == nil {
		err = closing
	}
	return err
}

// serve waits until no ban is in force, then connects once and stays until the connection is over for good.
func (c *Channel) serve(ctx context.Context, s *session, accept channels.Accept) error {
	c.report(channels.State{Phase: channels.Connecting})
	if !c.serveBan(ctx) {
		return nil
	}
	device, err := s.container.GetFirstDevice(ctx)
	if err != nil {
		return unless(ctx, fmt.Errorf("read the WhatsApp session: %w", err))
	}
	if device.ID == nil {
		return &channels.StateError{State: notLinked}
	}
	return c.connect(ctx, device, accept)
}

// unless is err, or nil once ctx has ended: what fails then fails because of that.
func unless(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// connect connects and stays until the connection is over for good, or ctx ends.
func (c *Channel) connect(ctx context.Context, device *store.Device, accept channels.Accept) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The SDK lives a little longer than the line: it must hear Disconnect before its context ends.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	l := newLine(ctx, c, device, accept)
	l.client.BackgroundEventCtx = life
	l.recallNumbers()
	defer l.work.Wait()
	defer c.leave(l, cancel)
	if err := l.client.ConnectContext(life); err != nil {
		return l.ended(ctx, fmt.Errorf("connect to WhatsApp: %w", redacted(err)))
	}
	c.take(l)
	l.work.Go(l.keepPresence)
	select {
	case <-ctx.Done():
		return nil
	case err := <-l.over:
		return err
	}
}

// take makes l the line to send on.
func (c *Channel) take(l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = l
}

// leave hears nothing more from l and sends nothing more on it.
func (c *Channel) leave(l *line, cancel context.CancelFunc) {
	c.mu.Lock()
	c.line = nil
	c.mu.Unlock()
	cancel()
	l.client.Disconnect()
}

// report publishes how the channel stands, if that has changed.
func (c *Channel) report(s channels.State) {
	c.mu.Lock()
	if s == c.state {
		c.mu.Unlock()
		return
	}
	c.state = s
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	c.host.Report(s)
}

// startup is how long a send waits for a channel that is just connecting.
const startup = 5 * time.Second

// online is the connection to send on. It waits a little for one that is being made, not for one that is lost.
func (c *Channel) online(ctx context.Context) (*line, error) {
	late := time.NewTimer(startup)
	defer late.Stop()
	for {
		c.mu.Lock()
		l, state, changed := c.line, c.state, c.changed
		c.mu.Unlock()
		up := state.Phase == channels.Connected || state.Phase == channels.Backfilling
		starting := state.Phase == channels.Connecting || state.Phase == ""
		if up && l != nil {
			return l, nil
		}
		if !up && !starting {
			return nil, &channels.SendError{Kind: channels.Temporary, Err: errors.New("WhatsApp is not connected")}
		}
		select {
		case <-changed:
		case <-late.C:
			return nil, &channels.SendError{Kind: channels.Temporary, Err: errors.New("WhatsApp is still connecting")}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
