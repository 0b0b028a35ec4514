package lore

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/jobs"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	memorylore "familiar/memory/lore"
	"familiar/persona/signedlore"
)

func newRevert(inv *cli.Invocation) *cobra.Command {
	var file, run int64
	cmd := &cobra.Command{
		Use: "revert [NUMBER…]", Short: "Take lore back: single pieces, a file, or what a run read",
		Long: "Take lore back: single pieces by their numbers, an imported file (--import), or what a run of the job learn read (--run).\n" +
			"Single pieces are forgotten with the replies made from them; an imported one does not come back with the same text, while a page\n" +
			"may be read again. When a file is taken back, what held before it holds again. `familiar lore list` and `familiar lore imports`\n" +
			"show the numbers.",
		Example: "  familiar lore revert 12 15\n  familiar lore revert --import 2\n  familiar lore revert --run 40",
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			switch n := min(len(args), 1) + int(min(file, 1)) + int(min(run, 1)); {
			case n != 1 || file < 0 || run < 0:
				return cli.Usage(cmd, errors.New("give numbers of lore, or one of --import and --run"))
			case file > 0:
				return revertImport(cmd, inv, store, file)
			case run > 0:
				return jobs.RevertRun(cmd.Context(), inv, cfg, store, run)
			}
			return revertPieces(cmd, inv, store, args)
		}),
	}
	cmd.Flags().Int64Var(&file, "import", 0, "the `NUMBER` of an import")
	cmd.Flags().Int64Var(&run, "run", 0, "the `NUMBER` of a run of the job learn")
	return cmd
}

// revertPieces forgets single pieces, all that are named or none.
func revertPieces(cmd *cobra.Command, inv *cli.Invocation, store *memory.Store, words []string) error {
	var rows []revertedRow
	for _, word := range words {
		m, err := piece(cmd, store, word)
		if err != nil {
			return err
		}
		rows = append(rows, revertedRow{m.ID, m.Text})
	}
	for _, r := range rows {
		if _, err := store.Eraser.Forget(cmd.Context(), r.ID); err != nil {
			return fmt.Errorf("forget %d: %w", r.ID, err)
		}
	}
	return cli.Render(inv, rows)
}

// revertedRow is a piece that was forgotten.
type revertedRow struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// revertImport takes a file back.
func revertImport(cmd *cobra.Command, inv *cli.Invocation, store *memory.Store, id int64) error {
	var of memorylore.Import
	done, err := store.Lore.Revert(cmd.Context(), id, func(before memorylore.Import) ([]memorylore.Item, error) {
		file, err := signedlore.Open([]byte(before.Content), func(signedlore.Key) error { return nil })
		of = before
		return itemsOf(file, before.Signer), err
	})
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("no import %d holds (`familiar lore imports`): %w", id, err)
	}
	if err != nil {
		return err
	}
	row := changed{of.ID, of.Signer, of.SourceName, len(done.Added), len(done.Changed), len(done.Removed), done.Same, done.Forgotten}
	holds := "nothing of its signer and persona is left"
	if of.ID != 0 {
		holds = fmt.Sprintf("import %d holds again", of.ID)
	}
	return cli.RenderDone(inv, row, "Import %d was taken back: %s. %s", id, holds, row.counts())
}

// importRow is an imported file.
type importRow struct {
	ID          int64     `json:"id"`
	Persona     string    `json:"persona"`
	Of          string    `json:"of"`
	Signer      string    `json:"signer"`
	Fingerprint string    `json:"fingerprint"`
	Signed      time.Time `json:"signed"`
	Imported    time.Time `json:"imported"`
	Reverted    time.Time `json:"reverted,omitzero"`
}

func newImports(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "imports", Short: "List the files that were imported, newest first", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			all, err := store.Lore.Imports(cmd.Context(), cmp.Or(key, cfg.Persona))
			if err != nil {
				return err
			}
			var rows []importRow
			for _, i := range all {
				k, err := signedlore.ParseKey(i.Key)
				if err != nil {
					return fmt.Errorf("import %d: %w", i.ID, err)
				}
				rows = append(rows, importRow{
					i.ID, i.Persona, i.SourceName, i.Signer, k.Fingerprint(),
					cli.InZone(i.Signed, cfg), cli.InZone(i.Imported, cfg), cli.InZone(i.Reverted, cfg),
				})
			}
			return cli.Render(inv, rows)
		}),
	}
	personaFlag(inv, cmd, &key)
	return cmd
}
