package networks

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/queues"
	"familiar/internal/cli"
	"familiar/memory"
)

// StatusRow is the full status of one network.
type StatusRow struct {
	Channel string    `json:"channel"`
	State   string    `json:"state"`
	Since   time.Time `json:"since,omitzero"`
	Account string    `json:"account"`
	// Problem is what is wrong, NextStep what the operator can do about it.
	Problem  string `json:"says" show:"below"`
	NextStep string `json:"do" show:"below"`
	// Unsent counts the replies that are waiting to be sent, Dead the dead letters.
	Unsent int `json:"unsent"`
	Dead   int `json:"dead"`
	// Letters says where the dead letters are, since when and why, and which command helps.
	Letters string `json:"dead_letters,omitempty" show:"below"`
}

func newChannelStatus(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "status [NAME]", Short: "Show the state of the networks and what to do", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rows, err := NetworkRows(cmd.Context(), inv)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if len(args) == 1 && row.Channel == args[0] {
					return cli.RenderOne(inv, row)
				}
			}
			if len(args) == 1 {
				return fmt.Errorf("%w: network %q is not configured and never was; %s", memory.ErrNotFound, args[0], cli.ListHint(cmd))
			}
			return cli.Render(inv, rows)
		},
	}
}

// NetworkRows returns the full status of all networks that are configured or were ever served.
func NetworkRows(ctx context.Context, inv *cli.Invocation) (rows []StatusRow, _ error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, err
	}
	standings, err := Statuses(ctx, inv)
	if err != nil {
		return nil, err
	}
	letters, _, err := queues.ReadLost(ctx, inv)
	for _, s := range standings {
		row := newChannelStatusRow(s)
		row.Since, row.Letters = cli.InZone(row.Since, cfg), queues.LettersOn(letters, s.Channel, inv.Now())
		rows = append(rows, row)
	}
	return rows, err
}

func newChannelStatusRow(s Status) StatusRow {
	row := StatusRow{
		Channel: s.Channel, State: s.state(), Account: s.Account, Unsent: s.outbox.Unsent, Dead: s.outbox.Dead,
	}
	switch row.State {
	case NotRunning:
		row.NextStep = "start it with `familiar run`"
	case notConfigured:
		row.NextStep = "pending replies are sent when it is configured again"
		if row.Unsent == 0 {
			row.NextStep = ""
		}
	default:
		row.Since, row.Problem, row.NextStep = s.Since, s.Problem, s.NextStep
	}
	return row
}
