package networks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/plain"
)

// pendingRow is one account that was sent a pairing code.
type pendingRow struct {
	Code    string    `json:"code"`
	Handle  string    `json:"handle"`
	Name    string    `json:"name"`
	Asked   time.Time `json:"asked"`
	Expires time.Time `json:"expires"`
}

// allowedRow is one account that may write direct messages.
type allowedRow struct {
	Handle string `json:"handle"`
	Name   string `json:"name,omitempty"`
	// By is what allows it: "pairing", or the setting that lists it.
	By    string    `json:"by"`
	Since time.Time `json:"since,omitzero"`
}

func newChannelPending(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "pending", Short: "List people who are waiting for approval", Args: cobra.NoArgs,
		Long: "List people who wrote to the persona and are waiting for approval. Anybody can choose any name: compare the code with\n" +
			"the one the person gave you.",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			waiting, err := store.Log.Pairings(cmd.Context())
			if err != nil {
				return err
			}
			rows := make([]pendingRow, 0, len(waiting))
			for _, p := range waiting {
				rows = append(rows, pendingRow{p.Code, p.Handle.Named(), p.Name, cli.InZone(p.Created, cfg), cli.InZone(p.Expires, cfg)})
			}
			unheard, err := ignoredGroups(cmd.Context(), cfg, store)
			if err != nil {
				return err
			}
			if len(unheard) > 0 {
				inv.Note("there are also messages in groups that are ignored: `familiar channel unheard` lists them")
			}
			return cli.Render(inv, rows)
		}),
	}
}

func newChannelAllowed(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "allowed", Short: "List the accounts that may write direct messages", Args: cobra.NoArgs,
		Long: "List the accounts that may write direct messages: those you approved and those listed in familiar.yaml. Access in\n" +
			"groups is configured by channels.NETWORK.groups.",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			approved, err := store.Log.AllowedAccounts(cmd.Context())
			if err != nil {
				return err
			}
			rows := configuredAccounts(cfg)
			for _, one := range approved {
				rows = append(rows, newAllowedRow(cfg, one))
			}
			return cli.Render(inv, rows)
		}),
	}
}

// configuredAccounts returns the accounts that the configuration allows.
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
	return allowedRow{Handle: one.Handle.Named(), Name: one.Name, By: "pairing", Since: cli.InZone(one.Since, cfg)}
}

func newChannelPair(inv *cli.Invocation) *cobra.Command {
	return cli.Group("pair", "Approve or revoke direct messages", "Approve people who were sent a pairing code, and revoke approvals.",
		newPairApprove(inv), newPairRevoke(inv))
}

func newPairApprove(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "approve CODE", Short: "Approve the person who was sent a code", Args: cobra.ExactArgs(1),
		Long: "Approve the person who was sent a code. The persona greets them, asks for what they wrote\n" +
			"before, since nothing of it was kept, and answers their direct messages from the next one on. Approval for direct\n" +
			"messages gives no rights in groups.",
		Example: "  familiar channel pair approve K7WQ2M9X",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			card, err := app.LoadCard(cfg)
			if err != nil {
				return err
			}
			let, err := store.Log.ApprovePairing(cmd.Context(), args[0], card.Key, plain.Approved(card.Language, card.Name))
			if err != nil {
				return err
			}
			return cli.RenderOne(inv, newAllowedRow(cfg, let))
		}),
	}
}

func newPairRevoke(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "revoke HANDLE", Short: "Revoke an approval or reject a waiting person", Args: cobra.ExactArgs(1),
		Long: "Revoke an approval or reject a waiting person, from their next message on. Memories of them are kept. `familiar channel\n" +
			"allowed` and `pending` show the HANDLE.",
		Example: "  familiar channel pair revoke telegram:4711",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			h, err := findAccount(cmd.Context(), store, args[0])
			setting := configuredBy(cfg, args[0])
			if err != nil && setting != "" {
				return fmt.Errorf("%s is allowed by %s: remove it there", args[0], setting)
			}
			if err != nil {
				return err
			}
			if err := store.Log.Revoke(cmd.Context(), h); err != nil {
				return err
			}
			if setting = configuredBy(cfg, h.Named()); setting != "" {
				inv.Note("%s is still allowed by %s: remove it there", h.Named(), setting)
			}
			return cli.RenderDone(inv, struct {
				Revoked string `json:"revoked"`
			}{h.Named()}, "%s may no longer write direct messages", h.Named())
		}),
	}
}

// configuredBy returns the setting that allows an account, "" if none does.
func configuredBy(cfg *config.Config, word string) string {
	for _, row := range configuredAccounts(cfg) {
		if row.Handle == word {
			return row.By
		}
	}
	return ""
}

// findAccount returns an approved or pending account by its handle or by its id alone.
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
		if (h.ID == word || h.Named() == word) && !slices.Contains(found, h) {
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
		return channels.Handle{}, fmt.Errorf("%w: no approved or pending account matches %q; `familiar channel allowed` and `pending` list them", memory.ErrNotFound, word)
	case 1:
		return found[0], nil
	}
	return channels.Handle{}, fmt.Errorf("%q exists on several networks: name one, such as %s", word, found[0].Named())
}
