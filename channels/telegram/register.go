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

// Settings are the channel's own in familiar.yaml.
type Settings struct {
	// Token refers to what BotFather gave.
	Token settings.Secret `yaml:"token"`
	// BaseURL is where the Bot API is, "" for Telegram's own.
	BaseURL string `yaml:"base_url"`
}

// Registration describes the channel to the rest of the program.
var Registration = registry.Definition[Settings]{
	Name:      "telegram",
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
	return New(Options{Token: token, Endpoint: s.BaseURL, Host: in.Host, Log: in.Log, HTTP: in.HTTP}), nil
}

// check asks for the bot's account: the token, what keeps the bot from hearing anything, and from hearing groups.
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
		says, do := WebhookSet(account.Webhook)
		found = append(found, registry.Finding{Severity: registry.Problem, Says: says, Do: do})
	}
	if in.Listens && !account.ReadsAllGroupMessages {
		says, do := PrivacyMode()
		found = append(found, registry.Finding{Severity: registry.Warning, Says: says + ", unless it is an administrator there", Do: do})
	}
	return append(found, registry.Is(account.Name)), nil
}
