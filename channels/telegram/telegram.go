// Package telegram is the Telegram adapter. It polls the Bot API for messages and sends replies.
//
// The Bot API has no idempotency keys. A send whose response was lost is reported as ambiguous and not repeated here; the
// channel's limits say whether its sender may repeat it once. A reply with a preview can always be repeated, because it is
// an edit of a known message.
package telegram

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"sync"

	"familiar/channels"
	"familiar/internal/sleep"
)

// textLimit is the maximum chunk length in UTF-16 units: Telegram accepts 4096, and formatting may add a little.
const textLimit = 4000

// Options configures a Telegram channel.
type Options struct {
	// Token is the bot token from @BotFather. It is never logged.
	Token string
	// Endpoint is the URL of the Bot API, https://api.telegram.org if empty.
	Endpoint string
	Host     channels.Host
	// Log may be nil to disable logging.
	Log *slog.Logger
	// HTTP replaces the channel's own client.
	HTTP *http.Client
	// Pace sets the rate limits, DefaultPace if zero. A self-hosted server may have others.
	Pace Pace
	// HoldUnknown leaves a message with an unknown outcome unsent instead of sending it once more.
	HoldUnknown bool
}

// Telegram is the channel. It implements channels.Channel, Typist, Previewer, PreviewCanceler, Reactor, Commander and
// Limited.
type Telegram struct {
	host     channels.Host
	log      *slog.Logger
	api      *api
	pace     *pacer
	previews *previews
	resend   bool

	mu       sync.Mutex
	commands []channels.Command
}

// New returns the channel. It makes no requests before Run or Send.
func New(o Options) *Telegram {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Pace == (Pace{}) {
		o.Pace = DefaultPace
	}
	return &Telegram{
		host: o.Host, log: o.Log, api: newAPI(o.Token, o.Endpoint, o.HTTP),
		pace: newPacer(o.Pace, o.Host.Now), previews: newPreviews(o.Host.Store, o.Host.Now),
		resend: !o.HoldUnknown,
	}
}

// Name returns "telegram".
func (t *Telegram) Name() string { return channelName }

// plain returns a chunk's text as Telegram counts it: without marks, which become entities.
func plain(md string) string {
	text, _ := format(md)
	return text
}

// Limits returns the limits of a text message.
func (t *Telegram) Limits() channels.Limits {
	return channels.Limits{Text: textLimit, Unit: channels.UTF16, Format: plain, ResendUnknown: t.resend}
}

// Run receives messages until ctx ends. It waits while the network is unreachable, and ends with a *channels.StateError
// if the token is rejected.
func (t *Telegram) Run(ctx context.Context, accept channels.Accept) error {
	defer t.api.closeIdle()
	p := &poller{Telegram: t, accept: accept, immediate: true, batchSize: maxUpdates, lastPoll: t.host.Now()}
	p.report(channels.State{Phase: channels.Connecting})
	var pruning sync.WaitGroup // nobody waits for it
	defer pruning.Wait()
	running, end := context.WithCancel(ctx)
	defer end()
	pruning.Go(func() {
		for again := true; again; again = sleep.For(running, previewLifetime) {
			if err := t.previews.prune(running); err != nil && running.Err() == nil {
				t.log.Warn("remove old previews from the store", "error", err)
			}
		}
	})
	for {
		err := p.step(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var r rest
		if err != nil {
			if r, err = p.handleError(ctx, err); err != nil {
				return err
			}
		}
		if !p.wait(ctx, r) {
			return ctx.Err()
		}
	}
}

// Account describes the bot's account, for checking a setup.
type Account struct {
	// Name is the bot's name, such as "@familiar_bot".
	Name string
	// ReadsAllGroupMessages reports that privacy mode is off: in groups the bot receives messages not addressed to it.
	ReadsAllGroupMessages bool
	// Webhook is the server that receives updates instead of this poller, "" for none.
	Webhook string
}

// Account asks Telegram for the bot's account. It returns a *channels.StateError if the token is rejected.
func (t *Telegram) Account(ctx context.Context) (Account, error) {
	self, err := t.identify(ctx)
	if err != nil {
		return Account{}, err
	}
	webhook, err := t.webhook(ctx)
	if err != nil {
		return Account{}, err
	}
	return Account{Name: "@" + self.Username, ReadsAllGroupMessages: self.ReadsAll, Webhook: webhook}, nil
}

var tokenShape = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)

// identify asks Telegram for the bot's account.
func (t *Telegram) identify(ctx context.Context) (identity, error) {
	if !tokenShape.MatchString(t.api.token) {
		return identity{}, malformedToken()
	}
	ctx, cancel := context.WithTimeout(ctx, responseTimeout)
	defer cancel()
	var self identity
	err := t.api.call(ctx, "getMe", nil, &self)
	if f, ok := errors.AsType[*apiError](err); ok && (f.code == http.StatusUnauthorized || f.code == http.StatusNotFound) {
		return identity{}, rejectedToken(f)
	}
	return self, err
}

// rejectedToken is the error of Run for a token that Telegram rejects.
func rejectedToken(cause error) *channels.StateError {
	return &channels.StateError{Err: cause, State: channels.State{
		Phase: channels.Refused, Problem: "Telegram does not accept the bot's token",
		NextStep: "copy the token from @BotFather (/mybots, API Token) into the settings and restart",
	}}
}

// malformedToken is the error of Run for a token of the wrong form; Telegram is not even asked.
func malformedToken() *channels.StateError {
	fatal := rejectedToken(nil)
	fatal.State.Problem = "the bot's token does not look like one: digits, a colon, letters"
	return fatal
}

// Exclusive reports that the Bot API gives updates to one poller at a time. Every process can send.
func (t *Telegram) Exclusive() channels.Alone { return channels.ReceivesAlone }
