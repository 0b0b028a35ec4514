package networks

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
		Use: "list", Short: "List the networks that are or were configured", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			standings, err := Statuses(cmd.Context(), inv)
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

// Status is the state of a network as far as another process can tell.
type Status struct {
	log.ChannelState
	outbox log.OutboxCounts
	// configured reports whether the next `familiar run` serves the network, served whether one is running now.
	configured, Served bool
}

// The states of networks that are not running, in addition to those of package channels.
const (
	NotRunning    = "not running"
	notConfigured = "not configured"
)

// state returns the state in one or two words. A fatal state is shown even without a running process, because only the
// operator can fix it.
func (s Status) state() string {
	switch {
	case !s.configured:
		return notConfigured
	case s.Fatal():
		return string(s.Phase)
	case !s.Served:
		return NotRunning
	}
	return cmp.Or(string(s.Phase), string(channels.Connecting))
}

// Statuses returns the status of all networks that are configured or were ever served, sorted by name.
func Statuses(ctx context.Context, inv *cli.Invocation) ([]Status, error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, err
	}
	names := cfg.Channels.Names()
	known := map[string]Status{}
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		states, err := store.Log.ChannelStates(ctx)
		if err != nil {
			return err
		}
		letters, err := store.Log.CountOutbox(ctx, cfg.Persona)
		for _, s := range states {
			known[s.Channel] = Status{ChannelState: s, outbox: letters[s.Channel]}
			names = append(names, s.Channel)
		}
		return err
	})
	if err != nil && !errors.Is(err, memory.ErrNotFound) { // without a database none was ever served
		return nil, err
	}
	served := app.IsServed(cfg.Home.Lock())
	slices.Sort(names)
	var all []Status
	for _, name := range slices.Compact(names) {
		s := known[name]
		s.Channel, s.Served, s.configured = name, served, slices.Contains(cfg.Channels.Names(), name)
		all = append(all, s)
	}
	return all, nil
}
