package networks

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
)

// ignoredGroup is one group that sent messages and is ignored.
type ignoredGroup struct {
	Channel string `json:"channel"`
	// Group is the id to use in the configuration.
	Group string    `json:"group"`
	Title string    `json:"title"`
	Times int       `json:"times"`
	Last  time.Time `json:"last"`
}

func newChannelUnheard(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "unheard", Short: "List ignored groups with the ids to enable them", Args: cobra.NoArgs,
		Long: "List groups that are ignored although somebody wrote there: how often, when last, and the id to use under\n" +
			"channels.NETWORK.groups in familiar.yaml. Neither the messages nor their authors are stored.",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			rows, err := ignoredGroups(cmd.Context(), cfg, store)
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				inv.Note("%s", enableHint(rows[0]))
			}
			return cli.Render(inv, rows)
		}),
	}
}

// ignoredGroups returns the groups that sent messages and are still ignored by the current configuration, latest first.
func ignoredGroups(ctx context.Context, cfg *config.Config, store *memory.Store) (rows []ignoredGroup, err error) {
	all, err := store.Log.IgnoredRooms(ctx)
	if err != nil {
		return nil, err
	}
	served := app.Policies(cfg.Channels)
	for _, u := range all {
		if served[u.Channel].IgnoresGroup(channels.Room{Channel: u.Channel, ID: u.ID}) {
			rows = append(rows, ignoredGroup{u.Channel, u.ID, u.Title, u.Count, cli.InZone(u.Last, cfg)})
		}
	}
	return rows, nil
}

// enableHint says how to enable a group.
func enableHint(row ignoredGroup) string {
	return fmt.Sprintf("to enable a group, write under channels.%s in familiar.yaml: groups: {%q: mention}", row.Channel, row.Group)
}
