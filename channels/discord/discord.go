// Package discord is the adapter of Discord: the gateway is heard through discordgo, everything else goes over REST.
package discord

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"familiar/channels"
)

// name is the channel's name in rooms and handles.
const name = "discord"

// Options are what the adapter needs to know.
type Options struct {
	// Token is the bot's token, without "Bot " before it.
	Token string
	// MessageContent asks for the text of what is said in servers without a mention. It must be switched on in the
	// developer portal too; where it is not, the persona hears mentions and direct messages alone, and says so.
	MessageContent bool
	// Endpoint is where REST is spoken, "" for https://discord.com.
	Endpoint string
	Host     channels.Host
	// Log is nil for none.
	Log *slog.Logger
	// HTTP is nil for a client of its own.
	HTTP *http.Client
}

// Channel is one bot on Discord. Its sends are idempotent: see say.
type Channel struct {
	host  channels.Host
	log   *slog.Logger
	rest  *client
	token string
	// content says that the text of everything is to be asked for, muffled that Discord refused that.
	content bool
	muffled atomic.Bool

	identity  identity
	places    *places
	attempts  *attempts
	previews  *pacer
	typing    *pacer
	commands  commands
	questions *questions
}

// New makes the adapter. It talks to nobody before Run or Send.
func New(o Options) *Channel {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Channel{
		host: o.Host, log: o.Log, token: o.Token, content: o.MessageContent,
		rest:      newClient(o),
		places:    newPlaces(o.Host.Store),
		attempts:  newAttempts(o.Host.Store, o.Host.Now),
		previews:  newPacer(previewEvery, o.Host.Now),
		typing:    newPacer(typingEvery, o.Host.Now),
		questions: newQuestions(o.Host.Now),
	}
}

// Name is "discord".
func (c *Channel) Name() string { return name }

// textLimit leaves some of Discord's 2000 characters free.
const textLimit = 1900

// Limits are Discord's. A chunk is shown once however often it is sent, with one exception: of a private answer to a
// command everything after the first chunk, and that too once the command's 15 minutes are over, cannot be looked up, and
// is given up when its fate is unknown.
func (c *Channel) Limits() channels.Limits {
	return channels.Limits{Text: textLimit, Unit: channels.UTF16, Format: format, Idempotent: true}
}

// flushEvery is how often the cursors are written down. What was heard since is heard again after a crash.
const flushEvery = 5 * time.Second

// Run hears until ctx ends. It reconnects by itself; it ends early only with a *channels.StateError, or when the shelf
// cannot be read.
func (c *Channel) Run(ctx context.Context, accept channels.Accept) error {
	if err := c.places.load(ctx); err != nil {
		return err
	}
	c.muffled.Store(false)
	running, cancel := context.WithCancel(ctx)
	h := newHearer(c, accept)
	var wg sync.WaitGroup
	wg.Go(func() { h.listen(running) })
	wg.Go(func() { c.keepCursors(running) })
	wg.Go(func() { c.settleQuestions(running) })
	err := (&gateway{Channel: c, hearer: h}).stay(running)
	cancel()
	wg.Wait()
	c.rest.http.CloseIdleConnections()
	c.lastFlush(ctx)
	return err
}

// keepCursors writes the cursors down now and then.
func (c *Channel) keepCursors(ctx context.Context) {
	for sleep(ctx, flushEvery) {
		if err := c.places.flush(ctx); err != nil && ctx.Err() == nil {
			c.log.Warn("keep Discord's cursors", "error", err)
		}
	}
}

// lastFlush writes the cursors down although ctx may have ended.
func (c *Channel) lastFlush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushEvery)
	defer cancel()
	if err := c.places.flush(ctx); err != nil {
		c.log.Warn("keep Discord's cursors", "error", err) // they lag: what was heard is heard again
	}
}

// Send says one chunk: as the answer of the command it belongs to while that can be answered, else as a message.
func (c *Channel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	var (
		id  string
		err error
	)
	if out.ReplyData == "" {
		id, err = c.say(ctx, target(out.Room), out)
	} else {
		id, err = c.answer(ctx, out)
	}
	c.typing.clear(target(out.Room))
	if err != nil {
		return channels.Receipt{}, sendError(err)
	}
	return channels.Receipt{ID: id}, nil
}

// target is the channel of Discord in which room's messages are.
func target(room channels.Room) string {
	if room.Thread != "" {
		return room.Thread
	}
	return room.ID
}

// over says that ctx has ended.
func over(ctx context.Context) bool { return ctx.Err() != nil }

// sleep waits for d and says whether ctx still lives.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
