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
	// The pauses of the loop after a failure of the store, of the network, or a conflict with another poller. They
	// double with each failure.
	storeFirst, storeMax       = 100 * time.Millisecond, 30 * time.Second
	networkFirst, networkMax   = time.Second, 3 * time.Second // messages arrive within seconds of the network's return
	conflictFirst, conflictMax = 5 * time.Second, time.Minute
	// reconnectAfter is how long no poll may succeed before the connections are replaced.
	reconnectAfter = 2 * time.Minute
)

// handleError returns the pause after err, or the error with which Run ends.
func (p *poller) handleError(ctx context.Context, err error) (rest, error) {
	p.failures++
	if fatal, ok := errors.AsType[*channels.StateError](err); ok {
		p.report(fatal.State)
		return rest{}, fatal
	}
	if _, ok := errors.AsType[*storeError](err); ok {
		pause := p.backoff(storeFirst, storeMax)
		p.log.Error("store a message", "error", err, "retry_in", pause)
		return rest{pause: pause}, nil
	}
	p.immediate = true
	if p.host.Now().Sub(p.lastPoll) >= reconnectAfter {
		p.api.renew()
		p.lastPoll = p.host.Now()
	}
	f, _ := errors.AsType[*apiError](err)
	switch {
	case f != nil && (f.code == http.StatusUnauthorized || f.code == http.StatusNotFound):
		fatal := rejectedToken(f)
		p.report(fatal.State)
		return rest{}, fatal
	case f != nil && f.code == http.StatusConflict:
		p.transient(p.conflict(ctx, f))
		return rest{pause: p.backoff(conflictFirst, conflictMax)}, nil
	case f != nil && f.retryAfter > 0:
		p.transient("Telegram asks to wait "+f.retryAfter.String(), "")
		return rest{pause: f.retryAfter + p.host.Jitter(f.retryAfter/4)}, nil
	}
	p.transient("cannot reach Telegram: "+err.Error(), "check the connection if this lasts")
	return rest{pause: p.backoff(networkFirst, networkMax), wakes: true}, nil
}

// backoff returns the pause for the present number of failures in a row, with jitter.
func (p *poller) backoff(first, last time.Duration) time.Duration {
	pause := min(first<<min(p.failures-1, 16), last)
	return pause + p.host.Jitter(pause/4)
}

// conflict returns who else receives the bot's updates, and what to do.
func (p *poller) conflict(ctx context.Context, f *apiError) (says, do string) {
	if f.hasPhrase("webhook") {
		at, err := p.webhook(ctx)
		if err != nil {
			p.log.Warn("look up the webhook", "error", err)
		}
		return WebhookSet(at)
	}
	return "another poller uses this token",
		"stop the other program, or create a new token with @BotFather and use it only here"
}

// WebhookSet tells the operator that a webhook at a server prevents polling, and what to do. at may be "" if unknown.
func WebhookSet(at string) (says, do string) {
	if at != "" {
		at = " at " + at
	}
	return "a webhook is set for this bot" + at + ", so it cannot be polled",
		"remove it with deleteWebhook of the Bot API, or create a new token with @BotFather"
}

// webhook returns the server of the configured webhook, "" for none. The rest of the URL may be secret.
func (t *Telegram) webhook(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, responseTimeout)
	defer cancel()
	var info struct {
		URL string `json:"url"`
	}
	if err := t.api.call(ctx, "getWebhookInfo", nil, &info); err != nil || info.URL == "" {
		return "", err
	}
	address, err := url.Parse(info.URL)
	if err != nil || address.Host == "" {
		return "an invalid URL", nil
	}
	return address.Hostname(), nil
}

func (p *poller) transient(says, do string) {
	p.report(channels.State{Phase: channels.Transient, Problem: says, NextStep: do, Account: p.account()})
}

// connected reports that the connection works, or what the bot cannot receive in its groups.
func (p *poller) connected(ctx context.Context) {
	if p.state.Phase == channels.Connected {
		return
	}
	s := channels.State{Phase: channels.Connected, Account: p.account()}
	if !p.self.ReadsAll && p.inGroup(ctx) {
		s.Problem, s.NextStep = PrivacyMode()
	}
	p.report(s)
}

// PrivacyMode tells the operator what a bot in privacy mode does not receive, and what to do.
func PrivacyMode() (says, do string) {
	return "privacy mode is on: in groups the bot receives only commands, mentions and replies to it",
		"to let it listen, turn privacy mode off in @BotFather (/setprivacy), then remove the bot from the group and add it again"
}

func (p *poller) inGroup(ctx context.Context) bool {
	rooms, err := p.host.Rooms(ctx)
	if err != nil {
		p.log.Warn("check whether there are groups", "error", err)
	}
	for _, r := range rooms {
		if strings.HasPrefix(r.ID, groupPrefix) {
			return true
		}
	}
	return false
}

// report publishes s if it changed.
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
