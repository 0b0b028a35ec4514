package backups

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
)

// NewRecover returns the verb `familiar recover`.
func NewRecover(inv *cli.Invocation) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use: "recover", Short: "Save what a damaged database still holds", Args: cobra.NoArgs,
		Long: "Save what a damaged database still holds: row by row, skipping what cannot be read, into a new file that takes its place.\n" +
			"The damaged file is moved into a directory familiar.replaced-TIME in the home, and never deleted. Rows of which nobody could\n" +
			"tell any more who said what they rest on are left out. The home must not be served. `familiar backup restore` is the better\n" +
			"way if a recent backup exists: a recovered database may miss anything.",
		Example: "  familiar recover\n  familiar recover --to saved.db",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := readableConfig(inv); err != nil {
				return err
			}
			return recoverHome(cmd.Context(), inv, to)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write the new file there, and leave the damaged one in its place")
	return cmd
}

// recoveredRow is what was saved of one table.
type recoveredRow struct {
	Table string `json:"table"`
	Saved int64  `json:"saved"`
	// Lost is a number, "at most" a number, or "unknown".
	Lost string `json:"lost"`
	// LeftOut rows could be read, but what they rest on is lost.
	LeftOut int64 `json:"left_out,omitempty"`
}

func newRecoveredRow(t memory.SalvagedTable) recoveredRow {
	row := recoveredRow{Table: t.Table, Saved: t.Saved, LeftOut: t.Dependent, Lost: fmt.Sprint(t.Lost)}
	switch {
	case t.Lost < 0:
		row.Lost = "unknown"
	case !t.Exact && t.Lost > 0:
		row.Lost = "at most " + row.Lost
	}
	return row
}

// recoverHome recovers the home's database while it holds the lock of the home.
func recoverHome(ctx context.Context, inv *cli.Invocation, to string) (err error) {
	if inv.Loaded.Database.OnServer() {
		return app.ErrOnServer
	}
	set, err := app.Backups(inv.Loaded, "", inv.Now)
	if err != nil {
		return err
	}
	if err := set.Home.Create(); err != nil {
		return err
	}
	lock, err := app.LockHome(set.Home.Lock(), "recover", inv.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	done, err := set.Recover(ctx, to)
	if err != nil {
		return err
	}
	if to != "" {
		inv.Note("what was saved is in %s; the home is as it was", to)
	} else {
		inv.Note("what was saved is in the place of the damaged database, which is now in %s", done.Aside)
	}
	var rows []recoveredRow
	for _, t := range done.Tables {
		if t.Saved > 0 || t.Lost != 0 || t.Dependent > 0 {
			rows = append(rows, newRecoveredRow(t))
		}
	}
	return cli.Render(inv, rows)
}
