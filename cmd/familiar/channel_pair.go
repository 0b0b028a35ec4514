package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
)

// pendingRow is one account that was told a code.
type pendingRow struct {
	Code    string    `json:"code"`
	Handle  string    `json:"handle"`
	Name    string    `json:"name"`
	Asked   time.Time `json:"asked"`
	Expires time.Time `json:"expires"`
}

// allowedRow is one account that may talk in direct rooms.
type allowedRow struct {
	Handle string `json:"handle"`
	Name   string `json:"name,omitempty"`
	// By is what lets it in: "pairing", or the setting that lists it.
	By    string    `json:"by"`
	Since time.Time `json:"since,omitzero"`
}

func newChannelPending(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "pending", Short: "List who asked to talk and waits to be approved", Args: cobra.NoArgs,
		Long: "List who asked to talk and waits to be approved. Names are what people call themselves: compare the code with\n" +
			"the one you were given.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				waiting, err := store.Log.Pairings(cmd.Context())
				if err != nil {
					return err
				}
				rows := make([]pendingRow, 0, len(waiting))
				for _, p := range waiting {
					rows = append(rows, pendingRow{p.Code, handle(p.Handle), p.Name, inZone(p.Created, cfg), inZone(p.Expires, cfg)})
				}
				unheard, err := ignoredGroups(cmd.Context(), cfg, store)
				if err != nil {
					return err
				}
				if len(unheard) > 0 {
					inv.Note("groups that are not heard have spoken, too: `familiar channel unheard` lists them")
				}
				return cli.Render(inv, rows)
			})
		},
	}
}

func newChannelAllowed(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "allowed", Short: "List who may talk with the persona directly", Args: cobra.NoArgs,
		Long: "List who may talk with the persona directly: those you approved, and those familiar.yaml lists. Who speaks in a\n" +
			"group is decided by channels.NETWORK.groups there.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				approved, err := store.Log.AllowedAccounts(cmd.Context())
				if err != nil {
					return err
				}
				rows := configuredAccounts(cfg)
				for _, one := range approved {
					rows = append(rows, newAllowedRow(cfg, one))
				}
				return cli.Render(inv, rows)
			})
		},
	}
}

// configuredAccounts are those that the configuration lets in.
func configuredAccounts(cfg *config.Config) (rows []allowedRow) {
	served := cfg.Channels.Served()
	for _, name := range slices.Sorted(maps.Keys(served)) {
		for _, account := range served[name].Allow {
			rows = append(rows, allowedRow{Handle: name + ":" + account, By: "channels." + name + ".allow"})
		}
	}
	return rows
}

func newAllowedRow(cfg *config.Config, one log.AllowedAccount) allowedRow {
	return allowedRow{Handle: handle(one.Handle), Name: one.Name, By: "pairing", Since: inZone(one.Since, cfg)}
}

func handle(h channels.Handle) string { return h.Channel + ":" + h.ID }

func newChannelPair(inv *cli.Invocation) *cobra.Command {
	return cli.Group("pair", "Let people in and out", "Let people in who were told a code, and take that back.",
		newPairApprove(inv), newPairRevoke(inv))
}

func newPairApprove(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "approve CODE", Short: "Let in who was told a code", Args: cobra.ExactArgs(1),
		Long: "Let in who was told a code: from their next message on they are heard and answered in their direct room. It lets\n" +
			"them into no group.",
		Example: "  familiar channel pair approve K7WQ2M9X",
		RunE: func(cmd *cobra.Command, args []string) error {
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				let, err := store.Log.ApprovePairing(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return cli.RenderOne(inv, newAllowedRow(cfg, let))
			})
		},
	}
}

func newPairRevoke(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "revoke HANDLE", Short: "No longer let somebody in, or refuse who waits", Args: cobra.ExactArgs(1),
		Long: "No longer let somebody in, or refuse who waits, from their next message on. What is remembered of them stays.\n" +
			"HANDLE is as `familiar channel allowed` and `pending` list it.",
		Example: "  familiar channel pair revoke telegram:4711",
		RunE: func(cmd *cobra.Command, args []string) error {
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				h, err := findAccount(cmd.Context(), store, args[0])
				setting := configuredBy(cfg, args[0])
				if err != nil && setting != "" {
					return fmt.Errorf("%s is let in by %s: take it out there", args[0], setting)
				}
				if err != nil {
					return err
				}
				if err := store.Log.Revoke(cmd.Context(), h); err != nil {
					return err
				}
				if setting = configuredBy(cfg, handle(h)); setting != "" {
					inv.Note("%s is still let in by %s: take it out there", handle(h), setting)
				}
				inv.Say("%s may no longer talk", handle(h))
				if inv.JSON {
					return cli.RenderOne(inv, struct {
						Revoked string `json:"revoked"`
					}{handle(h)})
				}
				return nil
			})
		},
	}
}

// configuredBy is the setting that lets an account in, "" when none does.
func configuredBy(cfg *config.Config, word string) string {
	for _, row := range configuredAccounts(cfg) {
		if row.Handle == word {
			return row.By
		}
	}
	return ""
}

// findAccount finds an account that was let in or waits, by its handle or by its id alone.
func findAccount(ctx context.Context, store *memory.Store, word string) (channels.Handle, error) {
	let, err := store.Log.AllowedAccounts(ctx)
	if err != nil {
		return channels.Handle{}, err
	}
	waiting, err := store.Log.Pairings(ctx)
	if err != nil {
		return channels.Handle{}, err
	}
	var found []channels.Handle
	add := func(h channels.Handle) {
		if (h.ID == word || handle(h) == word) && !slices.Contains(found, h) {
			found = append(found, h)
		}
	}
	for _, one := range let {
		add(one.Handle)
	}
	for _, one := range waiting {
		add(one.Handle)
	}
	switch len(found) {
	case 0:
		return channels.Handle{}, fmt.Errorf("%w: nobody was let in or waits as %q; `familiar channel allowed` and `pending` list them", memory.ErrNotFound, word)
	case 1:
		return found[0], nil
	}
	return channels.Handle{}, fmt.Errorf("several networks know %q: say which, such as %s", word, handle(found[0]))
}
