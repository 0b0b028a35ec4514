package main

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
)

func newFollowUp(inv *cli.Invocation) *cobra.Command {
	return cli.Group("followup", "See why the persona wrote first, or did not",
		"See why the persona wrote first to somebody, or did not. It does so about what they had planned, when its time is near or\n"+
			"over, and only in direct talks. Every decision is kept for 90 days.", newFollowUpList(inv))
}

// followUpRow is one decision. The same one about the same thing, taken again and again, is one row.
type followUpRow struct {
	Last   time.Time `json:"last"`
	Person string    `json:"person"`
	// Sent says that it wrote; Reason is why it did or did not.
	Sent   bool   `json:"sent"`
	Reason string `json:"reason"`
	// About is what of: "loop:12:after" is how number 12 of what is open with them went, "loop:12:ahead" what is to come.
	About string    `json:"about"`
	Times int       `json:"times"`
	First time.Time `json:"first"`
}

func newFollowUpList(inv *cli.Invocation) *cobra.Command {
	limit, who := cli.Count(30), ""
	cmd := &cobra.Command{
		Use: "list", Short: "List the decisions, the latest first", Args: cobra.NoArgs,
		Example: "  familiar followup list\n  familiar followup list --person Ann",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				var person int64
				if who != "" {
					p, err := findPerson(cmd.Context(), store, cfg.Persona, who)
					if err != nil {
						return err
					}
					person = p.ID
				}
				all, err := store.Turns.UnaskedDecisions(cmd.Context(), cfg.Persona, person, int(limit))
				if err != nil {
					return err
				}
				rows := make([]followUpRow, 0, len(all))
				for _, d := range all {
					rows = append(rows, followUpRow{inZone(d.At, cfg), d.Person, d.Sent, d.Reason, d.Subject, d.Times, inZone(d.First, cfg)})
				}
				return cli.Render(inv, rows)
			})
		},
	}
	cmd.Flags().Var(&limit, "limit", "how many")
	cmd.Flags().StringVar(&who, "person", "", "of one `PERSON` only, by name or number")
	return cmd
}
