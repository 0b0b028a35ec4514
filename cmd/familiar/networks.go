package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/supervise"
	"familiar/config"
	"familiar/memory"
	"familiar/persona"
)

// networkNames are the networks that are configured, in the order of the configuration.
func networkNames(*config.Config) []string { return nil }

// network makes the adapter of a configured network, standing on host.
func (h *house) network(_ context.Context, name string, _ channels.Host) (channels.Channel, error) {
	return nil, fmt.Errorf("network %s: %w", name, memory.ErrNotFound)
}

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
		Shelf:  h.store.Shelf(name),
		Sent: func(ctx context.Context, key string) (string, error) {
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
		return fmt.Errorf("%w: no network is configured", memory.ErrNotFound)
	}
	return fmt.Errorf("%w: no network %q is configured, only %s", memory.ErrNotFound, name, strings.Join(names, ", "))
}
