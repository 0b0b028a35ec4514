package telegram

import (
	"context"
	_ "embed"

	"familiar/channels"
	"familiar/channels/registry"
	"familiar/internal/settings"
)

//go:embed settings.yaml
var template string

// Settings are the channel's own settings in familiar.yaml.
type Settings struct {
	// Token refers to the bot token from @BotFather.
	Token settings.Secret `yaml:"token"`
	// BaseURL is the address of the Bot API, "" for Telegram's own.
	BaseURL string `yaml:"base_url"`
	// UnknownOutcome says what becomes of a message that may or may not have been shown.
	UnknownOutcome UnknownOutcome `yaml:"unknown_outcome"`
}

// UnknownOutcome says what becomes of a message whose send got no answer that tells its fate: resend or hold.
type UnknownOutcome string

// The choices. Resend sends it once more, so that it may be shown twice; Hold keeps it as a dead letter, so that it may
// be lost.
const (
	Resend UnknownOutcome = "resend"
	Hold   UnknownOutcome = "hold"
)

// UnmarshalText accepts one of the choices.
func (u *UnknownOutcome) UnmarshalText(text []byte) error {
	return settings.Choose(u, text, Resend, Hold)
}

// Registration describes the channel to the rest of the program; see registry.Definition.
var Registration = registry.Definition[Settings]{
	Name:      "telegram",
	Defaults:  Settings{UnknownOutcome: Resend},
	ServedBy:  "token",
	Template:  template,
	AccountID: `^-?[0-9]+$`,
	Check:     check,
	New: func(_ context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		return open(s, in)
	},
}.Registration()

func open(s Settings, in registry.Setup) (*Telegram, error) {
	token, err := s.Token.Reveal()
	if err != nil {
		return nil, err
	}
	return New(Options{
		Token: token, Endpoint: s.BaseURL, Host: in.Host, Log: in.Log, HTTP: in.HTTP, HoldUnknown: s.UnknownOutcome == Hold,
	}), nil
}

// check requests the bot's account. It finds a wrong token, a webhook that prevents polling, and privacy mode.
func check(ctx context.Context, s Settings, in registry.Setup) (found []registry.Finding, _ error) {
	t, err := open(s, in)
	if err != nil {
		return nil, err
	}
	account, err := t.Account(ctx)
	if err != nil {
		return nil, err
	}
	if account.Webhook != "" {
		text, next := WebhookSet(account.Webhook)
		found = append(found, registry.Finding{Severity: registry.Problem, Text: text, NextStep: next})
	}
	if in.Listens && !account.ReadsAllGroupMessages {
		text, next := PrivacyMode()
		found = append(found, registry.Finding{Severity: registry.Warning, Text: text + ", unless it is an administrator there", NextStep: next})
	}
	return append(found, registry.ConnectedAs(account.Name)), nil
}
