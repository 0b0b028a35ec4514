// Package chatapi is a channel for programs that speak OpenAI's chat completions: chat clients, their SDKs and anything that
// lets its user set a base URL. Personas are their models. A program sends the whole conversation with every request; the
// channel finds what is new in it, hands that over once, and answers with the persona's reply.
//
// The channel is a mailbox: a reply counts as sent once the mailbox has noted its key, and a request takes it from there. So a
// program that disconnected, or whose process or ours was killed, gets the same reply when it asks again.
package chatapi

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"familiar/channels"
)

// name is the channel's name.
const name = "chatapi"

// Options are what a Channel is made from.
type Options struct {
	Host channels.Host
	// WholeReplies sends a streamed reply in one piece once it is complete, instead of as it is written.
	WholeReplies bool
	// Random is the source of the key that message ids are made with; nil is that of the system.
	Random io.Reader
	// Log may be nil.
	Log *slog.Logger
}

// Channel answers chat completions. It implements channels.Endpoint, Limited, Previewer, NoReplier and FileFetcher.
type Channel struct {
	opts     Options
	host     channels.Host
	log      *slog.Logger
	mailbox  *mailbox
	pictures *pictures
	desk     *desk
	heavy    chan struct{} // a token for each long body that is being read

	mu      sync.Mutex
	accept  channels.Accept // nil while Run is not running
	ended   chan struct{}   // closed when Run ends
	handing sync.WaitGroup  // accept is running
}

// New makes the channel. It answers requests with an error before Run.
func New(o Options) *Channel {
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Channel{
		opts: o, host: o.Host, log: o.Log, desk: newDesk(), pictures: new(pictures), heavy: make(chan struct{}, maxHeavy),
		mailbox: &mailbox{store: o.Host.Store, text: o.Host.SentText, now: o.Host.Now, random: o.Random},
	}
}

// Name returns "chatapi".
func (c *Channel) Name() string { return name }

// Limits returns that a reply is never split, and that a key is shown once.
func (c *Channel) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run accepts messages of requests until ctx ends. It waits for those that are being stored.
func (c *Channel) Run(ctx context.Context, accept channels.Accept) error {
	c.host.Report(channels.State{Phase: channels.Connecting})
	if err := c.mailbox.prune(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	c.accept, c.ended = accept, make(chan struct{})
	c.mu.Unlock()
	c.host.Report(channels.State{Phase: channels.Connected, Account: completionsPath})
	<-ctx.Done()
	c.mu.Lock()
	c.accept = nil
	close(c.ended)
	c.mu.Unlock()
	c.handing.Wait()
	return ctx.Err()
}

// errNotRunning reports a message that was received while the channel does not run.
var errNotRunning = errors.New("familiar is starting or stopping")

// hand hands a message over. It returns nil once the message is durable.
func (c *Channel) hand(ctx context.Context, m channels.Message) error {
	c.mu.Lock()
	accept := c.accept
	if accept != nil {
		c.handing.Add(1)
	}
	c.mu.Unlock()
	if accept == nil {
		return errNotRunning
	}
	defer c.handing.Done()
	return accept(ctx, m)
}

// running returns a channel that is closed when Run ends, and whether it runs.
func (c *Channel) running() (ended <-chan struct{}, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended, c.accept != nil
}

// Send puts a message into the mailbox and answers the request that waits for it, if one does. What answers no request, such
// as a reminder, is shown before the next answer in the room.
func (c *Channel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	known := func() bool { return c.knows(ctx, out.Room) }
	if err := c.mailbox.put(ctx, out, known); err != nil {
		return channels.Receipt{}, err
	}
	c.desk.answer(out.Room, out.ReplyData, out.Text)
	return channels.Receipt{ID: out.Key}, nil
}

// knows reports whether a room exists although the mailbox has nothing for it: it was idle for a long time.
func (c *Channel) knows(ctx context.Context, room channels.Room) bool {
	if c.host.Rooms == nil {
		return false
	}
	rooms, err := c.host.Rooms(ctx)
	if err != nil {
		c.log.Warn("read the rooms of a channel", "channel", name, "error", err)
		return true // it may exist: what is sent there is shown when somebody asks
	}
	for _, r := range rooms {
		if r == room {
			return true
		}
	}
	return false
}

// Preview shows a reply that is being written to the request that waits for it.
func (c *Channel) Preview(_ context.Context, room channels.Room, _, soFar string) error {
	c.desk.preview(room, soFar)
	return nil
}

// NoReply ends the wait for a reply to a message that gets none.
func (c *Channel) NoReply(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), noteTimeout)
	defer cancel()
	if err := c.mailbox.noReply(ctx, id); err != nil {
		c.log.Warn("note that a message gets no reply", "channel", name, "error", err)
	}
	c.desk.noReply(id)
}

// noteTimeout is how long noting something may take that nobody waits for.
const noteTimeout = 10 * time.Second
