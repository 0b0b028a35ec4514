// Package stores has `familiar store`: where the memory is.
package stores

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/hosting"
)

// NewStore returns the verb `familiar store`.
func NewStore(inv *cli.Invocation) *cobra.Command {
	return cli.Group("store", "Move the memory to another database", "Move the memory to another database: from the file of the home to a "+
		"PostgreSQL server, or back.", newMove(inv))
}

// maxPasses is how often the memory is compared with its copy if it keeps changing meanwhile.
const maxPasses = 5

// moved is what `familiar store move --json` prints.
type moved struct {
	To       string `json:"to"`
	Rows     int64  `json:"rows"`
	Copied   int64  `json:"copied"`
	Removed  int64  `json:"removed"`
	Finished bool   `json:"finished"`
}

func newMove(inv *cli.Invocation) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use: "move --to ADDRESS", Short: "Copy the memory into another database, and check every row", Args: cobra.NoArgs,
		Long: "Copy the memory into another database, row by row, and compare every row afterwards. ADDRESS is what familiar.yaml takes as\n" +
			"database: postgres://USER@HOST/DATABASE; env:NAME or file:/path for an address with a password; or sqlite for the file of this\n" +
			"home. The memory itself stays as it is.\n\n" +
			"It may be in use meanwhile. Then what has changed is left for the next time: stop familiar and repeat the command, which copies\n" +
			"only what differs. A copy that was interrupted is continued in the same way, and cannot be opened until it is finished.\n" +
			"When it is, set database in familiar.yaml to ADDRESS. Attachments stay in the home.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			database, address, err := cfg.Home.OtherDatabase(to, inv.Env)
			if err != nil {
				return cli.Usage(cmd, fmt.Errorf("--to %w", err))
			}
			own, err := cfg.MemoryAddress()
			if err == nil && own == address {
				err = cli.Usage(cmd, errors.New("--to: the memory is there already"))
			}
			if err != nil {
				return err
			}
			return move(cmd.Context(), inv, cfg, store, database, address)
		}),
	}
	cmd.Flags().StringVar(&to, "to", "", "the `ADDRESS` of the other database")
	return cmd
}

func move(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, to config.Database, address string) (err error) {
	lock, inUse := app.LockHome(cfg.Home.Lock(), "store move", inv.Now())
	if inUse != nil && !errors.Is(inUse, app.ErrInUse) {
		return inUse
	}
	if lock != nil {
		defer func() { err = errors.Join(err, lock.Release()) }()
	}
	mover, err := store.Hosting.MoveTo(ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mover.Close()) }()
	done, equal, err := passes(ctx, inv, mover)
	if err != nil {
		return err
	}
	done.To = to.String()
	if equal && inUse == nil {
		if err := mover.Finish(); err != nil {
			return err
		}
		done.Finished = true
	}
	if err := report(inv, cfg, done); err != nil || done.Finished {
		return err
	}
	return fmt.Errorf("not finished, since the memory is in use: stop familiar and run the command again, which copies only what has changed: %w", inUse)
}

// passes copies what differs until nothing does.
func passes(ctx context.Context, inv *cli.Invocation, mover *hosting.Mover) (done moved, equal bool, err error) {
	for range maxPasses {
		pass, err := mover.Pass(ctx, func(table string, rows int64) {
			if !inv.JSON && rows > 0 {
				inv.Note("%s: %s", table, rowsOf(rows))
			}
		})
		done.Rows, done.Copied, done.Removed = pass.Rows, done.Copied+pass.Copied, done.Removed+pass.Removed
		if err != nil {
			return done, false, err
		}
		if pass.Copied+pass.Removed == 0 {
			return done, true, nil
		}
		if !inv.JSON {
			inv.Note("comparing every row")
		}
	}
	return done, false, nil
}

func rowsOf(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return humanize.Comma(n) + " rows"
}

func report(inv *cli.Invocation, cfg *config.Config, done moved) error {
	if inv.JSON {
		return cli.WriteJSON(inv.Out, done)
	}
	_, err := fmt.Fprintf(inv.Out, "the same in both databases: %s\n", rowsOf(done.Rows))
	if err == nil && done.Finished {
		_, err = fmt.Fprintf(inv.Out, "to use the other one, set database: %s in %s\n", done.To, cfg.Home.File())
	}
	return err
}
