package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory"
)

// channelStatus is one network with all that is known of how it stands.
type channelStatus struct {
	Channel string    `json:"channel"`
	State   string    `json:"state"`
	Since   time.Time `json:"since,omitzero"`
	Account string    `json:"account"`
	// Says is what is the matter, Do what the operator can do about it.
	Says string `json:"says" show:"below"`
	Do   string `json:"do" show:"below"`
	// Unsent waits to be said, Dead could not be said.
	Unsent int `json:"unsent"`
	Dead   int `json:"dead"`
}

func newChannelStatus(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "status [NAME]", Short: "Show how the networks stand and what to do about it", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := inv.Config()
			if err != nil {
				return err
			}
			standings, err := standings(cmd.Context(), inv)
			if err != nil {
				return err
			}
			var rows []channelStatus
			for _, s := range standings {
				row := newChannelStatusRow(s)
				row.Since = inZone(row.Since, cfg)
				if len(args) == 1 && s.Channel == args[0] {
					return cli.RenderOne(inv, row)
				}
				rows = append(rows, row)
			}
			if len(args) == 1 {
				return fmt.Errorf("%w: no network %q is configured or was ever served; %s", memory.ErrNotFound, args[0], listOf(cmd))
			}
			return cli.Render(inv, rows)
		},
	}
}

func newChannelStatusRow(s standing) channelStatus {
	row := channelStatus{
		Channel: s.Channel, State: s.stands(), Account: s.Account, Unsent: s.letters.Unsent, Dead: s.letters.Dead,
	}
	switch row.State {
	case notServed:
		row.Do = "`familiar run` serves it"
	case notConfigured:
		row.Do = "what waits there is said once it is configured again"
		if row.Unsent == 0 {
			row.Do = ""
		}
	default:
		row.Since, row.Says, row.Do = s.Since, s.Problem, s.NextStep
	}
	return row
}
