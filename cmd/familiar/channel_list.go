package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
)

// channelRow is one network in a list.
type channelRow struct {
	Channel    string `json:"channel"`
	Configured bool   `json:"configured"`
	State      string `json:"state"`
	Account    string `json:"account"`
}

func newChannelList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the networks that are configured, and those that once were", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			standings, err := networkStatuses(cmd.Context(), inv)
			if err != nil {
				return err
			}
			rows := make([]channelRow, len(standings))
			for i, s := range standings {
				rows[i] = channelRow{Channel: s.Channel, Configured: s.configured, State: s.state(), Account: s.Account}
			}
			return cli.Render(inv, rows)
		},
	}
}

// networkStatus is how a network stands, as far as it can be told from beside.
type networkStatus struct {
	log.ChannelState
	outbox log.OutboxCounts
	// configured says that the next `familiar run` serves it, served that one does now.
	configured, served bool
}

// The words for networks that are not running, beside those of package channels.
const (
	notRunning    = "not running"
	notConfigured = "not configured"
)

// state is the state in a word or two. What only the operator can mend stays so without a process, too.
func (s networkStatus) state() string {
	switch {
	case !s.configured:
		return notConfigured
	case s.Fatal():
		return string(s.Phase)
	case !s.served:
		return notRunning
	}
	return cmp.Or(string(s.Phase), string(channels.Connecting))
}

// networkStatuses are how all networks stand that are configured or have ever been served, by name.
func networkStatuses(ctx context.Context, inv *cli.Invocation) ([]networkStatus, error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, err
	}
	names := cfg.Channels.Names()
	known := map[string]networkStatus{}
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		states, err := store.Log.ChannelStates(ctx)
		if err != nil {
			return err
		}
		letters, err := store.Log.CountOutbox(ctx, cfg.Persona)
		for _, s := range states {
			known[s.Channel] = networkStatus{ChannelState: s, outbox: letters[s.Channel]}
			names = append(names, s.Channel)
		}
		return err
	})
	if err != nil && !errors.Is(err, memory.ErrNotFound) { // without a memory none was ever served
		return nil, err
	}
	served := app.IsServed(cfg.Home.Lock())
	slices.Sort(names)
	var all []networkStatus
	for _, name := range slices.Compact(names) {
		s := known[name]
		s.Channel, s.served, s.configured = name, served, slices.Contains(cfg.Channels.Names(), name)
		all = append(all, s)
	}
	return all, nil
}
