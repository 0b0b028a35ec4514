package discord

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
	// Token refers to the bot's token.
	Token settings.Secret `yaml:"token"`
	// BaseURL is the address of the REST API, "" for Discord's own.
	BaseURL string `yaml:"base_url"`
	// MessageContent says whether to request the text of messages that do not mention the bot.
	MessageContent Content `yaml:"message_content"`
	// Shards is how many connections receive.
	Shards int `yaml:"shards"`
}

// Content says whether to request the message content intent: auto, on or off.
type Content string

// The choices. ContentAuto requests it if some group is configured to be received without a mention.
const (
	ContentAuto Content = "auto"
	ContentOn   Content = "on"
	ContentOff  Content = "off"
)

// UnmarshalText accepts one of the choices.
func (c *Content) UnmarshalText(text []byte) error {
	return settings.Choose(c, text, ContentAuto, ContentOn, ContentOff)
}

// WantsContent reports whether to request the text of messages that do not mention the bot. listens says whether some group
// is configured to be received without a mention.
func (s Settings) WantsContent(listens bool) bool {
	if s.MessageContent != ContentAuto {
		return s.MessageContent == ContentOn
	}
	return listens
}

// Registration describes the channel to the rest of the program; see registry.Definition.
var Registration = registry.Definition[Settings]{
	Name:      "discord",
	Defaults:  Settings{MessageContent: ContentAuto, Shards: 1},
	ServedBy:  "token",
	Template:  template,
	AccountID: `^[0-9]+$`,
	Validate:  validate,
	Review:    review,
	Check:     check,
	New: func(_ context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		return open(s, in)
	},
}.Registration()

// maxShards is the highest number of shards, enough for some hundred thousand servers.
const maxShards = 64

func validate(s Settings, problem settings.Problem) {
	if s.Shards < 1 || s.Shards > maxShards {
		problem("shards", "is %d: use 1 to %d", s.Shards, maxShards)
	}
}

func open(s Settings, in registry.Setup) (*Channel, error) {
	token, err := s.Token.Reveal()
	if err != nil {
		return nil, err
	}
	return New(Options{
		Token: token, MessageContent: s.WantsContent(in.Listens), Shards: s.Shards, Endpoint: s.BaseURL, Host: in.Host, Log: in.Log, HTTP: in.HTTP,
	}), nil
}

// review finds a group that is configured to be received while its message text is not requested.
func review(s Settings, in registry.Setup) []registry.Finding {
	if !in.Listens || s.WantsContent(in.Listens) {
		return nil
	}
	return []registry.Finding{{
		Severity: registry.Problem, Text: "a group is in listen or open mode, but the text of its messages is not requested",
		NextStep: "set channels.discord.message_content to auto, or the group's mode to mention",
	}}
}

// check requests the application. It finds a wrong token and a missing message content permission.
func check(ctx context.Context, s Settings, in registry.Setup) (found []registry.Finding, _ error) {
	c, err := open(s, in)
	if err != nil {
		return nil, err
	}
	account, err := c.Account(ctx)
	if err != nil {
		return nil, err
	}
	if s.WantsContent(in.Listens) && !account.MessageContent {
		text, next := ContentWithheld()
		found = append(found, registry.Finding{Severity: registry.Problem, Text: text, NextStep: next})
	}
	return append(found, registry.ConnectedAs(account.Name)), nil
}
