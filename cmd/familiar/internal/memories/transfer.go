package memories

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/transfer"
)

func newMemoryExport(inv *cli.Invocation) *cobra.Command {
	var who string
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "Export everything as JSON Lines",
		Long: "Export people, messages, memories, beliefs and all other personal data as JSON Lines (format: docs/export.md), to a new\n" +
			"file that only its owner can read, or without FILE to standard output. With --person, export only one person's data:\n" +
			"messages in their direct rooms and theirs elsewhere, what was derived from them, and what the operator added about them.\n" +
			"The same database always gives the same bytes.",
		Example: "  familiar memory export backup.jsonl\n  familiar memory export --person Ann ann.jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			person, err := find.PersonID(cmd.Context(), store, cfg.Persona, who)
			if err != nil {
				return err
			}
			options := transfer.ExportOptions{Person: person}
			if len(args) == 0 {
				_, err := store.Transfer.Export(cmd.Context(), inv.Out, options)
				return err
			}
			var written transfer.Counts
			err = cli.WriteNewFile(args[0], func(w io.Writer) (err error) {
				written, err = store.Transfer.Export(cmd.Context(), w, options)
				return err
			})
			if err != nil {
				return err
			}
			return cli.Render(inv, transferRows(written))
		}),
	}
	find.PersonFlag(cmd, &who, "only the data of this person")
	return cmd
}

func newMemoryImport(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Import an export",
		Long: "Import an export: all of it, or nothing and an error that names the line. What exists already is not added again: people\n" +
			"are matched by handle, messages by their network's ids. What was forgotten here stays forgotten. A large import delays\n" +
			"replies while the home is being served; stop it first.",
		Example: "  familiar memory import backup.jsonl\n  familiar --home ~/second memory import backup.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return fmt.Errorf("import: %w", err)
			}
			defer f.Close() //nolint:errcheck // it was only read
			return inv.EnsureStore(cmd.Context(), func(_ *config.Config, store *memory.Store) error {
				added, err := store.Transfer.Import(cmd.Context(), args[0], f)
				if err != nil {
					return err
				}
				if len(added.Kinds()) == 0 {
					inv.Note("nothing in %s is new", args[0])
				}
				return cli.Render(inv, transferRows(added))
			})
		},
	}
}

// transferRow counts the records of one kind that were written or added.
type transferRow struct {
	Kind    string `json:"kind"`
	Records int    `json:"records"`
}

func transferRows(t transfer.Counts) []transferRow {
	var rows []transferRow
	for _, kind := range t.Kinds() {
		rows = append(rows, transferRow{kind, t[kind]})
	}
	return rows
}
