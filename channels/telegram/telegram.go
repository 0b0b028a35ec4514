// Package telegram speaks Telegram's Bot API: it polls for what people say and sends what the persona answers.
//
// Telegram knows no idempotency key. A send whose answer was lost is reported as ambiguous and not repeated here; only
// a reply that was previewed can be, because it is an edit of a message whose id is known.
package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// textLimit is the longest chunk asked for, in UTF-16 units: Telegram takes 4096, and formatting may add a little.
const textLimit = 4000

// Options are what a Telegram channel is made of.
type Options struct {
	// Token is the bot's, from @BotFather. It is never logged.
	Token string
	// Endpoint is where the Bot API is, https://api.telegram.org when empty.
	Endpoint string
	Host     channels.Host
	// Log is silent when nil.
	Log *slog.Logger
	// HTTP is used instead of a client of the channel's own.
	HTTP *http.Client
	// Pace is how much may be said, Usual when it is zero. A server of one's own may have other limits.
	Pace Pace
}

// Telegram is the channel. It implements channels.Channel, Typist, Previewer, Withdrawer, Reactor, Commander and Limited.
type Telegram struct {
	host     channels.Host
	log      *slog.Logger
	api      *api
	pace     *pacer
	previews *previews

	mu       sync.Mutex
	commands []channels.Command
}

// New makes the channel. It asks the network nothing before Run or Send.
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
	}
}

// Name is "telegram".
func (t *Telegram) Name() string { return channelName }

// plain is a chunk's text as Telegram counts it: without the marks, which are entities there.
func plain(md string) string {
	text, _ := format(md)
	return text
}

// Limits are those of a text message.
func (t *Telegram) Limits() channels.Limits {
	return channels.Limits{Text: textLimit, Unit: channels.UTF16, Format: plain}
}

// Commands keeps what Run tells the network.
func (t *Telegram) Commands(all []channels.Command) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.commands = slices.Clone(all)
}

// Run hears messages until ctx ends. It waits out a network that is down; it ends with a *channels.StateError when the
// token is not accepted.
func (t *Telegram) Run(ctx context.Context, accept channels.Accept) error {
	defer t.api.rest()
	p := &poller{Telegram: t, accept: accept, prompt: true, many: pollMany, heardAt: t.host.Now()}
	p.report(channels.State{Phase: channels.Connecting})
	if err := t.previews.prune(ctx); err != nil {
		return err
	}
	for {
		err := p.step(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause := time.Duration(0)
		if err != nil {
			if pause, err = p.trouble(ctx, err); err != nil {
				return err
			}
		}
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// Account is who the bot is, for who checks a setup.
type Account struct {
	// Name is the bot's, such as "@familiar_bot".
	Name string
	// ReadsAllGroupMessages says that privacy mode is off: in groups the bot hears more than what is said to it.
	ReadsAllGroupMessages bool
	// Webhook is the server that is told instead of whoever polls, "" for none.
	Webhook string
}

// Account asks the network who the bot is. Its error is a *channels.StateError when the token is not accepted.
func (t *Telegram) Account(ctx context.Context) (Account, error) {
	self, err := t.identify(ctx)
	if err != nil {
		return Account{}, err
	}
	webhook, err := t.webhook(ctx)
	if err != nil {
		return Account{}, err
	}
	return Account{Name: "@" + self.Username, ReadsAllGroupMessages: self.HearsAll, Webhook: webhook}, nil
}

var tokenShape = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)

// identify asks who the bot is.
func (t *Telegram) identify(ctx context.Context) (identity, error) {
	if !tokenShape.MatchString(t.api.token) {
		return identity{}, misshapen()
	}
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	var self identity
	err := t.api.call(ctx, "getMe", nil, &self)
	if f, ok := errors.AsType[*fault](err); ok && (f.code == http.StatusUnauthorized || f.code == http.StatusNotFound) {
		return identity{}, refused(f)
	}
	return self, err
}

// refused is how Run ends when the token is not accepted.
func refused(cause error) *channels.StateError {
	return &channels.StateError{Err: cause, State: channels.State{
		Phase: channels.Refused, Problem: "Telegram does not accept the bot's token",
		NextStep: "copy the token from @BotFather (/mybots, API Token) into the settings and start again",
	}}
}

// misshapen is how Run ends when the token cannot be one, and Telegram is not even asked.
func misshapen() *channels.StateError {
	fatal := refused(nil)
	fatal.State.Problem = "the bot's token does not look like one: digits, a colon, letters"
	return fatal
}

// publish tells the network the commands, unless it was told the same before. That it could not be told is no reason
// not to talk.
func (t *Telegram) publish(ctx context.Context, self *identity) {
	t.mu.Lock()
	all := t.commands
	t.mu.Unlock()
	self.commands = make(map[string]bool)
	type entry struct {
		Command     string `json:"command"`
		Description string `json:"description"`
	}
	list := make([]entry, 0, len(all))
	for _, c := range all {
		self.commands[c.Name] = true
		list = append(list, entry{c.Name, strings.TrimSpace(c.Args + " " + c.Help)})
	}
	told, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return
	}
	shelf := fmt.Sprintf("commands/%d", self.ID)
	if before, err := t.host.Store.Get(ctx, shelf); err == nil && before == string(told) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	err = t.api.call(ctx, "setMyCommands", tgbotapi.Params{"commands": string(told)}, nil)
	if err == nil {
		err = t.host.Store.Put(ctx, shelf, string(told))
	}
	if err != nil {
		t.log.Warn("tell Telegram the commands", "commands", slices.Sorted(maps.Keys(self.commands)), "error", err)
	}
}

// sleep waits for d and says whether ctx still lives.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
