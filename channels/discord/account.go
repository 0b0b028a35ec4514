package discord

import (
	"context"
	"net/http"

	"familiar/channels"
)

// Account describes the bot's account, for checking a setup.
type Account struct {
	// Name is the application's name.
	Name string
	// MessageContent reports that the developer portal lets the bot read server messages that do not mention it.
	MessageContent bool
}

// The application flags for the message content intent: one for bots in many servers, one for all others.
const (
	flagContent        = 1 << 18
	flagContentLimited = 1 << 19
)

// Account asks Discord for the bot's account. It returns a *channels.StateError if the token is rejected.
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

// ContentWithheld tells the operator what a bot without message content cannot read, and what to do.
func ContentWithheld() (says, do string) { return problemNoContent, nextStepContent }
