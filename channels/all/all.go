// Package all lists the channels of the program. No other package outside a channel's folder may name the channel.
package all

import (
	"context"
	"errors"

	"familiar/channels"
	"familiar/channels/chatapi"
	"familiar/channels/discord"
	"familiar/channels/registry"
	"familiar/channels/telegram"
	"familiar/channels/webhook"
	"familiar/internal/settings"
)

// Channels lists all channels that can be configured, in the order of familiar.yaml.
var Channels = []registry.Registration{
	telegram.Registration,
	discord.Registration,
	whatsApp,
	webhook.Registration,
	chatapi.Registration,
}

// Sections returns their sections of familiar.yaml.
func Sections() []settings.Section {
	sections := make([]settings.Section, len(Channels))
	for i, c := range Channels {
		sections[i] = c.Section
	}
	return sections
}

// Forget deletes what the files of the channels in a home hold about people whose account is erased.
func Forget(ctx context.Context, home string, erased func(channels.Handle) bool) error {
	var errs []error
	for _, c := range Channels {
		errs = append(errs, c.Forget(ctx, home, func(account string) bool { return erased(channels.Handle{Channel: c.Name(), ID: account}) }))
	}
	return errors.Join(errs...)
}

// Find returns the channel with that name.
func Find(name string) (registry.Registration, bool) {
	for _, c := range Channels {
		if c.Name() == name {
			return c, true
		}
	}
	return registry.Registration{}, false
}
