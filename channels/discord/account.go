package discord

import (
	"context"
	"net/http"

	"familiar/channels"
)

// Account is who the bot is, for who checks a setup.
type Account struct {
	// Name is what the application is called.
	Name string
	// MessageContent says that the developer portal lets the bot read what is said in servers without a mention.
	MessageContent bool
}

// The application's flags for the message content intent: one for bots in many servers, one for all others.
const (
	flagContent        = 1 << 18
	flagContentLimited = 1 << 19
)

// Account asks the network who the bot is. Its error is a *channels.StateError when the token is not accepted.
func (c *Channel) Account(ctx context.Context) (Account, error) {
	var app struct {
		Name  string `json:"name"`
		Flags int    `json:"flags"`
	}
	err := c.rest.do(ctx, call{method: http.MethodGet, path: "/applications/@me"}, &app)
	if code := closeCode(err); code != 0 {
		says, do := fatal(code)
		return Account{}, &channels.StateError{State: channels.State{Phase: channels.Refused, Problem: says, NextStep: do}, Err: err}
	}
	if err != nil {
		return Account{}, err
	}
	return Account{Name: app.Name, MessageContent: app.Flags&(flagContent|flagContentLimited) != 0}, nil
}

// ContentWithheld says for the operator what a bot without message content does not hear, and what to do.
func ContentWithheld() (says, do string) { return saysNoContent, doContent }
