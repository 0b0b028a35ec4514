package mind

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/turns"
)

// NewFollowUp returns the verb `familiar followup`.
func NewFollowUp(inv *cli.Invocation) *cobra.Command {
	return cli.Group("followup", "Show why the persona did or did not write first",
		"Show why the persona did or did not write first to somebody. It follows up on a person's plans shortly before or after\n"+
			"their date, in direct messages only. Decisions are kept for 90 days.", newFollowUpList(inv))
}

// followUpRow is one decision. Repeated decisions with the same outcome about the same subject are one row.
type followUpRow struct {
	Last   time.Time `json:"last"`
	Person string    `json:"person"`
	// Sent reports whether the persona wrote; Reason is why or why not.
	Sent   bool   `json:"sent"`
	Reason string `json:"reason"`
	// About is the subject: "loop:12:after" asks how open topic 12 went, "loop:12:ahead" is about one still to come.
	About string    `json:"about"`
	Times int       `json:"times"`
	First time.Time `json:"first"`
}

func newFollowUpList(inv *cli.Invocation) *cobra.Command {
	limit, who := cli.Count(30), ""
	cmd := &cobra.Command{
		Use: "list", Short: "List the decisions, latest first", Args: cobra.NoArgs,
		Example: "  familiar followup list\n  familiar followup list --person Ann",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			person, err := find.PersonID(cmd.Context(), store, cfg.Persona, who)
			if err != nil {
				return err
			}
			all, err := store.Turns.ProactiveDecisions(cmd.Context(), cfg.Persona, person, int(limit))
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, all, func(d turns.ProactiveDecision) followUpRow {
				return followUpRow{cli.InZone(d.At, cfg), d.Person, d.Sent, d.Reason, d.Subject, d.Times, cli.InZone(d.First, cfg)}
			})
		}),
	}
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	cmd.Flags().StringVar(&who, "person", "", "only decisions about this `PERSON`: a name or number")
	return cmd
}
