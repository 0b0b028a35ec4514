package lore

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	memorylore "familiar/memory/lore"
	"familiar/memory/model"
	"familiar/persona/signedlore"
)

func newTrust(inv *cli.Invocation) *cobra.Command {
	return cli.Group("trust", "Choose whose lore is imported",
		"Choose whose lore is imported, by their public keys. To trust a key is to believe that what it signs is worth quoting; it\n"+
			"gives no other right.",
		newTrustAdd(inv), newTrustList(inv), newTrustRemove(inv))
}

// signerRow is one signer.
type signerRow struct {
	Name        string    `json:"name"`
	Fingerprint string    `json:"fingerprint"`
	Added       time.Time `json:"added"`
	Key         string    `json:"key"`
}

func signerOf(cfg *config.Config, s memorylore.Signer) (signerRow, error) {
	key, err := signedlore.ParseKey(s.Key)
	if err != nil {
		return signerRow{}, fmt.Errorf("the stored key of %s: %w", s.Name, err)
	}
	return signerRow{s.Name, key.Fingerprint(), cli.InZone(s.Added, cfg), s.Key}, nil
}

func newTrustAdd(inv *cli.Invocation) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "add KEY|-", Short: "Trust a key, or rename one", Args: cobra.ExactArgs(1),
		Long: "Trust a key. Compare its fingerprint with its owner first, over another way than the key came: who can replace the key on\n" +
			"its way can sign in their name. With - the key is the first line of standard input.",
		Example: "  familiar lore trust add ann+1a2b3c4d+AV9… --name ann",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			text := args[0]
			if text == "-" {
				line, err := bufio.NewReader(io.LimitReader(inv.In, maxKeyFile)).ReadString('\n')
				if err != nil && !errors.Is(err, io.EOF) {
					return fmt.Errorf("read a key from standard input: %w", err)
				}
				text = line
			}
			key, err := signedlore.ParseKey(text)
			if err != nil {
				return err
			}
			called := model.CleanName(name)
			if called == "" {
				return cli.Usage(cmd, errors.New("--name is missing: say what you call its owner"))
			}
			if err := store.Lore.Trust(cmd.Context(), key.String(), called); err != nil {
				return fmt.Errorf("trust %s: %w", called, err)
			}
			row := signerRow{called, key.Fingerprint(), cli.InZone(inv.Now(), cfg), key.String()}
			return cli.RenderDone(inv, row, "Lore signed by %s is trusted. Fingerprint: %s", called, key.Fingerprint())
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "what you call its `OWNER`; it is quoted as the source")
	return cmd
}

func newTrustList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List whose lore is imported", Args: cobra.NoArgs,
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			all, err := store.Lore.Signers(cmd.Context())
			if err != nil {
				return err
			}
			rows := make([]signerRow, len(all))
			for i, s := range all {
				if rows[i], err = signerOf(cfg, s); err != nil {
					return err
				}
			}
			return cli.Render(inv, rows)
		}),
	}
}

func newTrustRemove(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME|KEY", Short: "Import no more lore of a signer; what was imported stays", Args: cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			s, err := store.Lore.Distrust(cmd.Context(), args[0])
			if err != nil {
				return cli.WithListHint(cmd, err)
			}
			row, err := signerOf(cfg, s)
			if err != nil {
				return err
			}
			return cli.RenderDone(inv, row, "Lore signed by %s is not trusted any more. `familiar lore imports` lists what was imported.", s.Name)
		}),
	}
}
