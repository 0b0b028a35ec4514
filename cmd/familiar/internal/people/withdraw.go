package people

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
)

// trainingRow is a consent to training.
type trainingRow struct {
	Persona string    `json:"persona"`
	Since   time.Time `json:"since"`
}

// String shows it as text.
func (r trainingRow) String() string { return r.Persona + " since " + r.Since.Format(time.DateOnly) }

// trainingRows returns the consents that a person gave and did not take back.
func trainingRows(ctx context.Context, cfg *config.Config, store *memory.Store, person int64) (rows []trainingRow, err error) {
	all, err := store.Training.Consents(ctx, person)
	for _, c := range all {
		if c.Given {
			rows = append(rows, trainingRow{c.Persona, cli.InZone(c.At, cfg)})
		}
	}
	return rows, err
}

// withdrawn is what was taken back for a person.
type withdrawn struct {
	Person   int64 `json:"person"`
	Personas int   `json:"personas"`
}

func newPersonWithdraw(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "withdraw NAME|NUMBER", Short: "Take back a person's consent to training",
		Long: "Take back, for all personas, a person's consent to what they said being training data (familiar export training).\n" +
			"Only the person can give it, with /training on in their direct talk.",
		Example: "  familiar person withdraw Ann",
		Args:    cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			p, err := find.Person(cmd.Context(), store, cfg.Persona, args[0])
			if err != nil {
				return err
			}
			n, err := store.Training.Withdraw(cmd.Context(), p.ID)
			if err != nil {
				return err
			}
			if n == 0 {
				return cli.RenderDone(inv, withdrawn{p.ID, n}, "%s agreed to no training", p.Name)
			}
			return cli.RenderDone(inv, withdrawn{p.ID, n}, "nothing that %s said is training data from now on", p.Name)
		}),
	}
}
