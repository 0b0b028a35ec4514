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

// Settings are the channel's own in familiar.yaml.
type Settings struct {
	// Token refers to the bot's token.
	Token settings.Secret `yaml:"token"`
	// BaseURL is where REST is spoken, "" for Discord's own.
	BaseURL string `yaml:"base_url"`
	// MessageContent says whether the text of messages that do not mention the bot is asked for.
	MessageContent Content `yaml:"message_content"`
}

// Content says whether Discord's message content is asked for: auto, on or off.
type Content string

// The choices; auto asks for it when some group is listened to.
const (
	ContentAuto Content = "auto"
	ContentOn   Content = "on"
	ContentOff  Content = "off"
)

// UnmarshalText takes one of the choices.
func (c *Content) UnmarshalText(text []byte) error {
	return settings.Choose(c, text, ContentAuto, ContentOn, ContentOff)
}

// WantsContent says whether the text of messages that do not mention the bot is asked for, where some group is listened to
// or none.
func (s Settings) WantsContent(listens bool) bool {
	if s.MessageContent != ContentAuto {
		return s.MessageContent == ContentOn
	}
	return listens
}

// Registration describes the channel to the rest of the program.
var Registration = registry.Definition[Settings]{
	Name:      "discord",
	Defaults:  Settings{MessageContent: ContentAuto},
	ServedBy:  "token",
	Template:  template,
	AccountID: `^[0-9]+$`,
	Review:    review,
	Check:     check,
	New: func(_ context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		return open(s, in)
	},
}.Registration()

func open(s Settings, in registry.Setup) (*Channel, error) {
	token, err := s.Token.Reveal()
	if err != nil {
		return nil, err
	}
	return New(Options{
		Token: token, MessageContent: s.WantsContent(in.Listens), Endpoint: s.BaseURL, Host: in.Host, Log: in.Log, HTTP: in.HTTP,
	}), nil
}

// review finds a group that is to be listened to without its text.
func review(s Settings, in registry.Setup) []registry.Finding {
	if !in.Listens || s.WantsContent(in.Listens) {
		return nil
	}
	return []registry.Finding{{
		Severity: registry.Problem, Says: "a group is to be listened to, and the text of its messages is not asked for",
		Do: "set channels.discord.message_content to auto, or the group's mode to mention",
	}}
}

// check asks for the application: the token, and whether it may read what it is to listen to.
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
		says, do := ContentWithheld()
		found = append(found, registry.Finding{Severity: registry.Problem, Says: says, Do: do})
	}
	return append(found, registry.Is(account.Name)), nil
}
