// Package discord is the Discord adapter. It receives gateway events through discordgo and uses REST for everything
// else.
package discord

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
)

// name is the channel name in rooms and handles.
const name = "discord"

// Options configures the adapter.
type Options struct {
	// Token is the bot token, without the prefix "Bot ".
	Token string
	// MessageContent requests the text of server messages that do not mention the bot. It must also be enabled in the
	// developer portal. Otherwise the bot receives only mentions and direct messages, and reports so.
	MessageContent bool
	// Shards is how many gateway connections receive, each the messages of its share of the servers. 0 is 1.
	Shards int
	// Endpoint is the REST base URL, "" for https://discord.com.
	Endpoint string
	Host     channels.Host
	// Log may be nil to disable logging.
	Log *slog.Logger
	// HTTP may be nil to use a separate client.
	HTTP *http.Client
}

// Channel is one Discord bot. Its sends are idempotent: see post.
type Channel struct {
	host  channels.Host
	log   *slog.Logger
	rest  *client
	token string
	// wantContent reports that message content is requested.
	wantContent bool
	// answerTimeout and identifyEvery are the constants, shorter in tests.
	answerTimeout, identifyEvery time.Duration
	// identifying is held while a turn to identify is reserved.
	identifying sync.Mutex

	identity        identity
	shards          []*shard
	attempts        *attempts
	previews        *pacer
	typing          *pacer
	commands        commands
	pendingCommands *pendingCommands
}

// New returns the adapter. It makes no connection before Run or Send.
func New(o Options) *Channel {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Channel{
		host: o.Host, log: o.Log, token: o.Token, wantContent: o.MessageContent,
		answerTimeout:   answerTimeout,
		identifyEvery:   identifyEvery,
		rest:            newClient(o),
		attempts:        newAttempts(o.Host.Store, o.Host.Now),
		previews:        newPacer(previewInterval, o.Host.Now),
		typing:          newPacer(typingInterval, o.Host.Now),
		pendingCommands: newPendingCommands(o.Host.Now),
	}
	for i := range max(o.Shards, 1) {
		c.shards = append(c.shards, newShard(c, i, max(o.Shards, 1)))
	}
	return c
}

// Name returns "discord".
func (c *Channel) Name() string { return name }

// textLimit leaves some of Discord's 2000 characters unused.
const textLimit = 1900

// Limits returns Discord's limits. A chunk is shown once however often it is sent, with one exception: chunks of a
// private command reply cannot be looked up, except the first one within the command's 15 minutes. If the outcome of
// such a send is unknown, the chunk is given up.
func (c *Channel) Limits() channels.Limits {
	return channels.Limits{Text: textLimit, Unit: channels.UTF16, Format: format, Idempotent: true}
}

// flushInterval is the time between writes of the cursors. After a crash, messages received since the last write are
// received again.
const flushInterval = 5 * time.Second

// Run receives messages over all shards until ctx ends and reconnects automatically. It ends early only with a
// *channels.StateError, or if the state store cannot be read.
func (c *Channel) Run(ctx context.Context, accept channels.Accept) error {
	if len(c.shards) == 1 {
		return c.RunPart(ctx, 0, accept, c.host.Report)
	}
	states := channels.NewPartStates(c.host.Report)
	for i := range c.shards {
		states.Set(i, channels.State{Phase: channels.Connecting}) // before one of them is connected
	}
	running, ctx := errgroup.WithContext(ctx)
	for i := range c.shards {
		running.Go(func() error {
			return c.RunPart(ctx, i, accept, func(s channels.State) { states.Set(i, s) })
		})
	}
	return running.Wait()
}

// Send sends one chunk: as a reply to its command while that is possible, otherwise as a message.
func (c *Channel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return c.send(ctx, chunk{Outgoing: out})
}

// chunk is a chunk to send, with the rows of buttons below it.
type chunk struct {
	channels.Outgoing
	buttons []buttonRow
}

// payload returns the chunk as a message that answers another, "" for none.
func (k chunk) payload(answers string) payload {
	p := newPayload(formatBody(k.Text), answers)
	if len(k.buttons) > 0 {
		p.Buttons = &k.buttons
	}
	return p
}

func (c *Channel) send(ctx context.Context, out chunk) (channels.Receipt, error) {
	var (
		id  string
		err error
	)
	if out.ReplyData == "" {
		id, err = c.post(ctx, target(out.Room), out)
	} else {
		id, err = c.reply(ctx, out)
	}
	c.typing.reset(target(out.Room))
	if err != nil {
		return channels.Receipt{}, sendError(err)
	}
	return channels.Receipt{ID: id}, nil
}

// target returns the id of the Discord channel that contains room's messages.
func target(room channels.Room) string {
	if room.Thread != "" {
		return room.Thread
	}
	return room.ID
}

// contextDone reports whether ctx has ended.
func contextDone(ctx context.Context) bool { return ctx.Err() != nil }

// Exclusive reports that one process has a session at the gateway, or one of each shard: with two, each message would come twice.
// Every process can send.
func (c *Channel) Exclusive() channels.Alone { return channels.ReceivesAlone }
