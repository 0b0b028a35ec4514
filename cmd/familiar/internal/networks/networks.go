package networks

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/channels/registry"
	"familiar/channels/supervise"
	"familiar/config"
	"familiar/internal/app"
	"familiar/memory"

	"familiar/persona"
)

// AdjustSetup returns its argument. Tests replace it to point a channel at a loopback server.
var AdjustSetup = func(_ string, in registry.Setup) registry.Setup { return in }

// newNetwork creates the adapter of a configured network.
func newNetwork(ctx context.Context, a *app.App, name string, host channels.Host) (channels.Channel, error) {
	channel, ok := all.Find(name)
	if !ok {
		return nil, fmt.Errorf("network %s: %w", name, memory.ErrNotFound)
	}
	n := a.Config.Channels.Network(name)
	for _, key := range slices.Sorted(maps.Keys(n.Secrets())) {
		if _, err := n.Secrets()[key].Reveal(); err != nil {
			return nil, a.Config.Problem(key, err)
		}
	}
	files, err := attachmentFiles(a, name, n.Attachments)
	if err != nil {
		return nil, err
	}
	host.Files = files
	in := SetupFor(a.Config, n, host)
	in.Log = a.Log
	return channel.New(ctx, n.Own, AdjustSetup(name, in))
}

// SetupFor returns what the channel of section n is created from and checked with.
func SetupFor(cfg *config.Config, n config.Network, host channels.Host) registry.Setup {
	return registry.Setup{Host: host, Listens: n.Groups.Listens() || cfg.Personas.Mentions(), Dir: string(cfg.Home), Web: cfg.HTTP.Listen}
}

// attachmentFiles returns where a network's attachments are stored.
func attachmentFiles(a *app.App, name string, keep config.Attachments) (channels.Files, error) {
	if !keep.Keep {
		return channels.Files{}, nil
	}
	dir := a.Config.Home.Attachments(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return channels.Files{}, fmt.Errorf("create the directory for attachments of %s: %w", name, err)
	}
	return channels.Files{Dir: dir, MaxSize: int64(keep.Cap)}, nil
}

// NewAll creates the adapters of all configured networks.
func NewAll(ctx context.Context, a *app.App, s *supervise.Supervisor) ([]channels.Channel, error) {
	var made []channels.Channel
	for _, name := range a.Config.Channels.Names() {
		c, err := openNetwork(ctx, a, name, s.Reporter(name))
		if err != nil {
			return nil, err
		}
		made = append(made, c)
	}
	return made, nil
}

// openNetwork creates the adapter of a configured network with a host that is backed by the app.
func openNetwork(ctx context.Context, a *app.App, name string, report func(channels.State)) (c channels.Channel, err error) {
	cards, err := app.ServedCards(a.Config)
	if err != nil {
		return nil, err
	}
	gate, router := a.PolicyGate(), app.Router(a.Config, cards)
	c, err = newNetwork(ctx, a, name, channels.Host{
		Report: report,
		Store:  a.Store.Log.KeyValue(name),
		Gate:   func(ctx context.Context, m channels.Message) bool { return gate.Allows(ctx, router.Call(m)) },
		SentText: func(ctx context.Context, key string) (string, error) {
			return persona.Sent(ctx, a.Store, channels.LimitsOf(c), key)
		},
		Rooms:  func(ctx context.Context) ([]channels.Room, error) { return a.Store.Log.RoomsOn(ctx, name) },
		Now:    a.Now,
		Jitter: app.Jitter,
	})
	return c, err
}

// Supervisor returns what keeps the networks running. It stores their states.
func Supervisor(a *app.App) *supervise.Supervisor {
	return supervise.New(supervise.Options{Publish: a.Store.Log.SaveChannelState, Now: a.Now, Jitter: app.Jitter, Log: a.Log})
}

// requireNetwork returns an error if no network with that name is configured.
func requireNetwork(cfg *config.Config, name string) error {
	names := cfg.Channels.Names()
	switch {
	case slices.Contains(names, name):
		return nil
	case len(names) == 0:
		return fmt.Errorf("%w: no network is configured: set a network's token, or enable it, under channels in familiar.yaml", memory.ErrNotFound)
	}
	return fmt.Errorf("%w: network %q is not configured, only %s", memory.ErrNotFound, name, strings.Join(names, ", "))
}
