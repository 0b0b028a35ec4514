// Package whatsapp is the WhatsApp adapter: a linked device of an account, over whatsmeow. The protocol is unofficial,
// and accounts that behave like machines are banned; the adapter therefore sends few proactive messages, and slowly.
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

// textLimit is the maximum chunk length in runes. WhatsApp accepts more, but longer bubbles are hard to read.
const textLimit = 4000

// Options configures the adapter.
type Options struct {
	// Database is the path of the session, which contains the device's keys. Anybody who has the file can act as the
	// device, so only its owner may read it, and only one process may use it.
	Database string
	// Former is where an earlier version kept the session, "" if nowhere. It is moved to Database once.
	Former string
	// ReadReceipts sends read receipts (blue ticks) once a message is durable.
	ReadReceipts bool
	// Self accepts messages in the chat the account's owner has with themselves.
	Self bool
	Host channels.Host
	Log  *slog.Logger
	// HTTP is the client for the network; nil for a new one.
	HTTP *http.Client
}

// Channel is the adapter. It is not connected before Run.
type Channel struct {
	opts    Options
	host    channels.Host
	log     *slog.Logger
	records *records
	pace    pace
	// idleAfter is the time without activity until the account is shown as unavailable.
	idleAfter time.Duration

	mu      sync.Mutex
	conn    *connection
	state   channels.State
	changed chan struct{} // closed when the state changes

	typingMu sync.Mutex
	typing   map[channels.Room]time.Time
}

// New returns the adapter. It fails if the session cannot be opened; a session without a device is reported by Run.
func New(ctx context.Context, o Options) (*Channel, error) {
	s, err := openSession(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := s.close(); err != nil {
		return nil, err
	}
	return &Channel{
		opts: o, host: o.Host, log: o.Log, records: newRecords(o.Host), idleAfter: 5 * time.Minute,
		changed: make(chan struct{}), typing: make(map[channels.Room]time.Time),
	}, nil
}

// Name implements channels.Channel.
func (c *Channel) Name() string { return Name }

// Limits implements channels.Limited. A message sent again under its id replaces itself on every phone.
func (c *Channel) Limits() channels.Limits {
	return channels.Limits{Text: textLimit, Unit: channels.Runes, Format: format, Idempotent: true}
}

// Run implements channels.Channel. The SDK reconnects by itself. Run ends with ctx, with a *channels.StateError if only
// the operator can help, or with another error, after which it can be called again. It waits out temporary bans.
func (c *Channel) Run(ctx context.Context, accept channels.Accept) error {
	s, err := openSession(ctx, c.opts)
	if err != nil {
		return unlessDone(ctx, err)
	}
	for {
		err = c.serve(ctx, s, accept)
		var b *banError
		if !errors.As(err, &b) {
			break
		}
		if noted := c.records.put(ctx, bannedKey, fmt.Sprint(b.until.Unix())); noted != nil {
			err = noted // without the record the ban would be ignored
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

// serve waits until no ban is in force, then connects once and stays until the connection ends permanently.
func (c *Channel) serve(ctx context.Context, s *session, accept channels.Accept) error {
	c.report(channels.State{Phase: channels.Connecting})
	if !c.waitOutBan(ctx) {
		return nil
	}
	device, err := s.container.GetFirstDevice(ctx)
	if err != nil {
		return unlessDone(ctx, fmt.Errorf("read the WhatsApp session: %w", err))
	}
	if device.ID == nil {
		return &channels.StateError{State: notLinked}
	}
	return c.connect(ctx, device, accept)
}

// unlessDone returns err, or nil if ctx has ended and explains the failure.
func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// connect connects and stays until the connection ends permanently or ctx ends.
func (c *Channel) connect(ctx context.Context, device *store.Device, accept channels.Accept) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The SDK's context must outlive the connection: Disconnect needs it.
	clientCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	l := newConnection(ctx, c, device, accept)
	l.client.BackgroundEventCtx = clientCtx
	l.loadNumbers()
	defer l.background.Wait()
	defer c.closeConnection(l, cancel)
	if err := l.client.ConnectContext(clientCtx); err != nil {
		return l.endReason(ctx, fmt.Errorf("connect to WhatsApp: %w", redacted(err)))
	}
	c.setConnection(l)
	l.background.Go(l.keepPresence)
	select {
	case <-ctx.Done():
		return nil
	case err := <-l.finished:
		return err
	}
}

// setConnection makes l the connection to send on. It wakes sends that wait: WhatsApp may report the connection first.
func (c *Channel) setConnection(l *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = l
	c.wake()
}

// wake makes sends that wait for the connection look again. The caller holds mu.
func (c *Channel) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// closeConnection stops receiving from l and sending on it.
func (c *Channel) closeConnection(l *connection, cancel context.CancelFunc) {
	c.mu.Lock()
	c.conn = nil
	c.mu.Unlock()
	cancel()
	l.client.Disconnect()
}

// report publishes the channel's state if it has changed.
func (c *Channel) report(s channels.State) {
	c.mu.Lock()
	if s == c.state {
		c.mu.Unlock()
		return
	}
	c.state = s
	c.wake()
	c.mu.Unlock()
	c.host.Report(s)
}

// connectWait is how long a send waits while the channel is connecting.
const connectWait = 5 * time.Second

// currentConnection returns the connection to send on. It waits briefly for one being opened, but not for a lost one.
func (c *Channel) currentConnection(ctx context.Context) (*connection, error) {
	late := time.NewTimer(connectWait)
	defer late.Stop()
	for {
		c.mu.Lock()
		l, state, changed := c.conn, c.state, c.changed
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

// Exclusive reports that a linked device has one connection, which also sends.
func (c *Channel) Exclusive() channels.Alone { return channels.SendsAlone }
