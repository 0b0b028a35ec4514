package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/transfer"
)

func newMemoryExport(inv *cli.Invocation) *cobra.Command {
	var who string
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "Write everything remembered as JSON Lines",
		Long: "Write people, talk, memories, beliefs and all else that is somebody's as JSON Lines (docs/export.md describes them), to\n" +
			"a new file that only its owner can read, or without FILE to standard output. With --person, only what is theirs: what\n" +
			"was said in their direct rooms and by them elsewhere, what was made of that, and what the operator told of them. The same\n" +
			"memory gives the same bytes.",
		Example: "  familiar memory export backup.jsonl\n  familiar memory export --person Ann ann.jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				var options transfer.ExportOptions
				if who != "" {
					person, err := findPerson(cmd.Context(), store, cfg.Persona, who)
					if err != nil {
						return err
					}
					options.Person = person.ID
				}
				if len(args) == 0 {
					_, err := store.Transfer.Export(cmd.Context(), inv.Out, options)
					return err
				}
				written, err := exportFile(cmd.Context(), store, args[0], options)
				if err != nil {
					return err
				}
				return cli.Render(inv, transferRows(written))
			})
		},
	}
	personFlag(cmd, &who, "only what is this person's")
	return cmd
}

// exportFile writes an export to a new file of mode 0600, which appears under its name only when it is complete.
func exportFile(ctx context.Context, store *memory.Store, path string, o transfer.ExportOptions) (written transfer.Counts, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("export to %s: it exists already: name another file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part*") // it is 0600 from the start
	if err != nil {
		return nil, fmt.Errorf("export to %s: %w", path, err)
	}
	written, err = store.Transfer.Export(ctx, f, o)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return nil, fmt.Errorf("export to %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return written, nil
}

func newMemoryImport(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Add what an export holds",
		Long: "Add what an export holds: all of it, or nothing and an error that names the line. What is known already is not added\n" +
			"again: people are the same by a handle, talk by its network's ids. What was forgotten here stays forgotten. While the\n" +
			"persona is being served, a large import makes it wait; import those while it is not.",
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

// transferRow is how many records of a kind were written or added.
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
