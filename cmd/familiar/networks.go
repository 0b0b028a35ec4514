package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/discord"
	"familiar/channels/supervise"
	"familiar/channels/telegram"
	"familiar/channels/whatsapp"
	"familiar/config"
	"familiar/memory"
	"familiar/persona"
)

// networkNames are the networks that are configured, in the order of the configuration.
func networkNames(cfg *config.Config) (names []string) {
	served := cfg.Channels.Served()
	for _, name := range []string{"telegram", "discord", "whatsapp"} {
		if _, ok := served[name]; ok {
			names = append(names, name)
		}
	}
	return names
}

// network makes the adapter of a configured network, standing on host.
func (h *house) network(ctx context.Context, name string, host channels.Host) (channels.Channel, error) {
	c := h.cfg.Channels
	switch name {
	case "telegram":
		token, err := h.token("channels.telegram.token", c.Telegram.Token)
		if err != nil {
			return nil, err
		}
		if host.Files, err = h.files(name, c.Telegram.Attachments); err != nil {
			return nil, err
		}
		return telegram.New(telegram.Options{Token: token, Endpoint: c.Telegram.BaseURL, Host: host, Log: h.log}), nil
	case "discord":
		token, err := h.token("channels.discord.token", c.Discord.Token)
		if err != nil {
			return nil, err
		}
		if host.Files, err = h.files(name, c.Discord.Attachments); err != nil {
			return nil, err
		}
		return discord.New(discord.Options{
			Token: token, MessageContent: c.Discord.WantsContent(), Endpoint: c.Discord.BaseURL, Host: host, Log: h.log,
		}), nil
	case "whatsapp":
		files, err := h.files(name, c.WhatsApp.Attachments)
		if err != nil {
			return nil, err
		}
		host.Files = files
		return newLinked(ctx, reachWhatsApp(whatsapp.Options{
			Database: h.cfg.Home.WhatsApp(), ReadReceipts: c.WhatsApp.ReadReceipts, Self: c.WhatsApp.Self, Host: host, Log: h.log,
		}))
	}
	return nil, fmt.Errorf("network %s: %w", name, memory.ErrNotFound)
}

// reachWhatsApp changes nothing: there is one WhatsApp, and no setting leads elsewhere. Only tests put another in its place.
var reachWhatsApp = func(o whatsapp.Options) whatsapp.Options { return o }

// token is what a setting refers to.
func (h *house) token(setting string, s config.Secret) (string, error) {
	token, err := s.Reveal()
	if err != nil {
		return "", h.cfg.Problem(setting, err)
	}
	return token, nil
}

// files are where a network's attachments go.
func (h *house) files(name string, a config.Attachments) (channels.Files, error) {
	if !a.Keep {
		return channels.Files{}, nil
	}
	dir := h.cfg.Home.Attachments(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return channels.Files{}, fmt.Errorf("make the directory for attachments of %s: %w", name, err)
	}
	return channels.Files{Dir: dir, MaxSize: int64(a.Cap)}, nil
}

// linked is WhatsApp with its account linked by hand.
type linked struct {
	*whatsapp.Channel
	options whatsapp.Options
}

func newLinked(ctx context.Context, o whatsapp.Options) (*linked, error) {
	c, err := whatsapp.New(ctx, o)
	if err != nil {
		return nil, err
	}
	return &linked{c, o}, nil
}

// Login shows codes until the account is linked.
func (l *linked) Login(ctx context.Context, phone string, show func(text string)) error {
	return whatsapp.Login(ctx, l.options, whatsapp.LoginOptions{Phone: phone, Show: func(c whatsapp.Code) {
		if c.PairingCode != "" {
			show(fmt.Sprintf("On the phone: Linked devices, Link a device, Link with phone number instead. The code, good for %.0f s:\n\n    %s\n",
				c.Valid.Seconds(), c.PairingCode))
			return
		}
		show(fmt.Sprintf("On the phone: Linked devices, Link a device. Scan this within %.0f s; another follows:\n\n%s", c.Valid.Seconds(), c.QR))
	}})
}

// Logout unlinks the account.
func (l *linked) Logout(ctx context.Context) error { return whatsapp.Logout(ctx, l.options) }

// networks makes the adapters of all that are configured.
func (h *house) networks(ctx context.Context, s *supervise.Supervisor) ([]channels.Channel, error) {
	var all []channels.Channel
	for _, name := range networkNames(h.cfg) {
		c, err := h.onHost(ctx, name, s.Reporter(name))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// onHost makes the adapter of a configured network with the house beneath it.
func (h *house) onHost(ctx context.Context, name string, report func(channels.State)) (c channels.Channel, err error) {
	c, err = h.network(ctx, name, channels.Host{
		Report: report,
		Store:  h.store.Shelf(name),
		Gate:   h.judge().Allows,
		SentText: func(ctx context.Context, key string) (string, error) {
			return persona.Sent(ctx, h.store, channels.LimitsOf(c), key)
		},
		Rooms:  func(ctx context.Context) ([]channels.Room, error) { return h.store.RoomsOn(ctx, name) },
		Now:    h.now,
		Jitter: jitter,
	})
	return c, err
}

// jitter is something between 0 and most.
func jitter(most time.Duration) time.Duration { return rand.N(most + 1) }

// supervisor keeps the networks running and how they stand in the store.
func (h *house) supervisor() *supervise.Supervisor {
	return supervise.New(supervise.Options{Publish: h.store.ReportState, Now: h.now, Jitter: jitter, Log: h.log})
}

// checkNetwork says whether a network of that name is configured.
func checkNetwork(cfg *config.Config, name string) error {
	names := networkNames(cfg)
	switch {
	case slices.Contains(names, name):
		return nil
	case len(names) == 0:
		return fmt.Errorf("%w: no network is configured: give one its token, or enable it, under channels in familiar.yaml", memory.ErrNotFound)
	}
	return fmt.Errorf("%w: no network %q is configured, only %s", memory.ErrNotFound, name, strings.Join(names, ", "))
}
