package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/channels/registry"
	"familiar/channels/supervise"
	"familiar/config"
	"familiar/memory"

	"familiar/persona"
)

// adjust returns its argument. Tests replace it to point a channel at a loopback server.
var adjust = func(_ string, in registry.Setup) registry.Setup { return in }

// network makes the adapter of a configured network.
func (h *house) network(ctx context.Context, name string, host channels.Host) (channels.Channel, error) {
	channel, ok := all.Find(name)
	if !ok {
		return nil, fmt.Errorf("network %s: %w", name, memory.ErrNotFound)
	}
	n := h.cfg.Channels.Network(name)
	for _, key := range slices.Sorted(maps.Keys(n.Secrets())) {
		if _, err := n.Secrets()[key].Reveal(); err != nil {
			return nil, h.cfg.Problem(key, err)
		}
	}
	files, err := h.files(name, n.Attachments)
	if err != nil {
		return nil, err
	}
	host.Files = files
	in := setup(h.cfg, n, host)
	in.Log = h.log
	return channel.New(ctx, n.Own, adjust(name, in))
}

// setup returns what the channel of section n is made from and checked with.
func setup(cfg *config.Config, n config.Network, host channels.Host) registry.Setup {
	return registry.Setup{Host: host, Listens: n.Groups.Hears(), Dir: string(cfg.Home)}
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

// networks makes the adapters of all that are configured.
func (h *house) networks(ctx context.Context, s *supervise.Supervisor) ([]channels.Channel, error) {
	var made []channels.Channel
	for _, name := range h.cfg.Channels.Names() {
		c, err := h.onHost(ctx, name, s.Reporter(name))
		if err != nil {
			return nil, err
		}
		made = append(made, c)
	}
	return made, nil
}

// onHost makes the adapter of a configured network with the house beneath it.
func (h *house) onHost(ctx context.Context, name string, report func(channels.State)) (c channels.Channel, err error) {
	c, err = h.network(ctx, name, channels.Host{
		Report: report,
		Store:  h.store.Log.KeyValue(name),
		Gate:   h.judge().Allows,
		SentText: func(ctx context.Context, key string) (string, error) {
			return persona.Sent(ctx, h.store, channels.LimitsOf(c), key)
		},
		Rooms:  func(ctx context.Context) ([]channels.Room, error) { return h.store.Log.RoomsOn(ctx, name) },
		Now:    h.now,
		Jitter: jitter,
	})
	return c, err
}

// jitter is something between 0 and most.
func jitter(most time.Duration) time.Duration { return rand.N(most + 1) }

// supervisor keeps the networks running and how they stand in the store.
func (h *house) supervisor() *supervise.Supervisor {
	return supervise.New(supervise.Options{Publish: h.store.Log.ReportState, Now: h.now, Jitter: jitter, Log: h.log})
}

// checkNetwork says whether a network of that name is configured.
func checkNetwork(cfg *config.Config, name string) error {
	names := cfg.Channels.Names()
	switch {
	case slices.Contains(names, name):
		return nil
	case len(names) == 0:
		return fmt.Errorf("%w: no network is configured: give one its token, or enable it, under channels in familiar.yaml", memory.ErrNotFound)
	}
	return fmt.Errorf("%w: no network %q is configured, only %s", memory.ErrNotFound, name, strings.Join(names, ", "))
}
