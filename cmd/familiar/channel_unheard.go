package main

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

// ignoredGroup is one group in which something was said and nothing is heard.
type ignoredGroup struct {
	Channel string `json:"channel"`
	// Group is the id that the configuration names it by.
	Group string    `json:"group"`
	Title string    `json:"title"`
	Times int       `json:"times"`
	Last  time.Time `json:"last"`
}

func newChannelUnheard(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "unheard", Short: "List groups that spoke where nothing is heard, by the ids to let them in with", Args: cobra.NoArgs,
		Long: "List groups that spoke where nothing is heard: how often, when last, and the ids they are let in with, under\n" +
			"channels.NETWORK.groups in familiar.yaml. Nothing of what was said there is kept, nor by whom.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				rows, err := ignoredGroups(cmd.Context(), cfg, store)
				if err != nil {
					return err
				}
				if len(rows) > 0 {
					inv.Note("%s", enableHint(rows[0]))
				}
				return cli.Render(inv, rows)
			})
		},
	}
}

// ignoredGroups are the groups that spoke and are still not heard as configured now, those that spoke last first.
func ignoredGroups(ctx context.Context, cfg *config.Config, store *memory.Store) (rows []ignoredGroup, err error) {
	all, err := store.Log.IgnoredRooms(ctx)
	if err != nil {
		return nil, err
	}
	served := app.Policies(cfg.Channels)
	for _, u := range all {
		if served[u.Channel].IgnoresGroup(channels.Room{Channel: u.Channel, ID: u.ID}) {
			rows = append(rows, ignoredGroup{u.Channel, u.ID, u.Title, u.Count, inZone(u.Last, cfg)})
		}
	}
	return rows, nil
}

// enableHint says what lets the persona hear a group.
func enableHint(row ignoredGroup) string {
	return fmt.Sprintf("to let the persona hear one, write under channels.%s in familiar.yaml: groups: {%q: mention}", row.Channel, row.Group)
}
