package telegram

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"familiar/channels"
)

const (
	// The pauses of the loop, which double from one failure to the next: after a store that could not keep, a network
	// that is gone, another who polls.
	unkeptFirst, unkeptLast     = 100 * time.Millisecond, 30 * time.Second
	goneFirst, goneLast         = time.Second, time.Minute
	conflictFirst, conflictLast = 5 * time.Second, time.Minute
	// deadAfter is how long no poll may be answered before the connections are made anew.
	deadAfter = 2 * time.Minute
)

// trouble says how long to wait after err before hearing on, or how Run ends.
func (p *poller) trouble(ctx context.Context, err error) (time.Duration, error) {
	p.failures++
	if fatal, ok := errors.AsType[*channels.StateError](err); ok {
		p.report(fatal.State)
		return 0, fatal
	}
	if _, ok := errors.AsType[*unkept](err); ok {
		pause := p.backoff(unkeptFirst, unkeptLast)
		p.log.Error("hear a message", "error", err, "retry_in", pause)
		return pause, nil
	}
	p.prompt = true
	if p.host.Now().Sub(p.heardAt) >= deadAfter {
		p.api.renew()
		p.heardAt = p.host.Now()
	}
	f, _ := errors.AsType[*fault](err)
	switch {
	case f != nil && (f.code == http.StatusUnauthorized || f.code == http.StatusNotFound):
		fatal := refused(f)
		p.report(fatal.State)
		return 0, fatal
	case f != nil && f.code == http.StatusConflict:
		p.transient(p.conflict(ctx, f))
		return p.backoff(conflictFirst, conflictLast), nil
	case f != nil && f.retryAfter > 0:
		p.transient("Telegram asks to be left alone for "+f.retryAfter.String(), "")
		return f.retryAfter + p.host.Jitter(f.retryAfter/4), nil
	}
	p.transient("Telegram cannot be reached: "+err.Error(), "check the connection if this lasts")
	return p.backoff(goneFirst, goneLast), nil
}

// backoff is the pause after as many failures in a row as there were, and a little more.
func (p *poller) backoff(first, last time.Duration) time.Duration {
	pause := min(first<<min(p.failures-1, 16), last)
	return pause + p.host.Jitter(pause/4)
}

// conflict says who else hears what is meant for the bot, and what to do.
func (p *poller) conflict(ctx context.Context, f *fault) (says, do string) {
	if f.says("webhook") {
		at, err := p.webhook(ctx)
		if err != nil {
			p.log.Warn("ask where the webhook is", "error", err)
		}
		return WebhookSet(at)
	}
	return "another poller uses this token",
		"stop the other program, or make a new token with @BotFather and give it to this one alone"
}

// WebhookSet says for the operator that a webhook at that server keeps the bot from being polled, and what to do. The
// server may be "" when it is not known.
func WebhookSet(at string) (says, do string) {
	if at != "" {
		at = " at " + at
	}
	return "a webhook is set for this bot" + at + ", so it cannot be polled",
		"remove it with deleteWebhook of the Bot API, or make a new token with @BotFather"
}

// webhook is the server of the webhook that is set, "" for none. The rest of its address may be secret.
func (t *Telegram) webhook(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	var info struct {
		URL string `json:"url"`
	}
	if err := t.api.call(ctx, "getWebhookInfo", nil, &info); err != nil || info.URL == "" {
		return "", err
	}
	address, err := url.Parse(info.URL)
	if err != nil || address.Host == "" {
		return "an address that cannot be read", nil
	}
	return address.Hostname(), nil
}

func (p *poller) transient(says, do string) {
	p.report(channels.State{Phase: channels.Transient, Problem: says, NextStep: do, Account: p.account()})
}

// connected reports that all is well, or what the bot cannot hear in the groups it is in.
func (p *poller) connected(ctx context.Context) {
	if p.state.Phase == channels.Connected {
		return
	}
	s := channels.State{Phase: channels.Connected, Account: p.account()}
	if !p.self.HearsAll && p.inGroup(ctx) {
		s.Problem, s.NextStep = PrivacyMode()
	}
	p.report(s)
}

// PrivacyMode says for the operator what a bot in privacy mode does not hear, and what to do.
func PrivacyMode() (says, do string) {
	return "privacy mode is on: in groups the bot hears only commands, mentions and replies to it",
		"to let it listen, turn privacy mode off in @BotFather (/setprivacy), then take the bot out of the group and add it again"
}

func (p *poller) inGroup(ctx context.Context) bool {
	rooms, err := p.host.Rooms(ctx)
	if err != nil {
		p.log.Warn("look whether there are groups", "error", err)
	}
	for _, r := range rooms {
		if strings.HasPrefix(r.ID, groupSign) {
			return true
		}
	}
	return false
}

// report publishes s if it is news.
func (p *poller) report(s channels.State) {
	if s == p.state {
		return
	}
	p.state = s
	p.host.Report(s)
	if s.Phase == channels.Transient {
		p.log.Warn("telegram is not connected", "says", s.Problem, "do", s.NextStep)
	}
}
