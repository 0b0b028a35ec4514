package mind

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona/mind"
)

// NewBelief returns the verb `familiar belief`.
func NewBelief(inv *cli.Invocation) *cobra.Command {
	return cli.Group("belief", "Show what the persona believes",
		"Show what the persona believes: the subject, the confidence, who said it and in which words.",
		newBeliefList(inv))
}

// beliefRow is one belief in a list.
type beliefRow struct {
	ID         int64     `json:"id"`
	About      string    `json:"about"`
	Relation   string    `json:"relation"`
	Value      string    `json:"value"`
	Status     string    `json:"status"`
	Confidence float64   `json:"confidence"`
	ToldBy     string    `json:"told_by"`
	Since      time.Time `json:"since"`
	Replaced   string    `json:"replaced,omitempty"`
	Quote      string    `json:"quote,omitempty"`
}

// NewBeliefs returns the verb that lists beliefs, under a name of its own among other verbs.
func NewBeliefs(inv *cli.Invocation) *cobra.Command {
	cmd := newBeliefList(inv)
	cmd.Use, cmd.Example = "beliefs", ""
	return cmd
}

func newBeliefList(inv *cli.Invocation) *cobra.Command {
	var who string
	var history bool
	limit := cli.Count(100)
	cmd := &cobra.Command{
		Use: "list", Short: "List beliefs with their confidence, newest first", Args: cobra.NoArgs,
		Example: "  familiar belief list --person Ann\n  familiar belief list --history",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			filter := belief.Filter{Persona: cfg.Persona, IncludeHistory: history, Limit: int(limit)}
			var err error
			if filter.SubjectPerson, err = find.PersonID(cmd.Context(), store, cfg.Persona, who); err != nil {
				return err
			}
			beliefs, err := store.Beliefs.ListBeliefs(cmd.Context(), filter)
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, beliefs, func(b model.Belief) beliefRow { return newBeliefRow(inv, cfg, b) })
		}),
	}
	find.PersonFlag(cmd, &who, "only beliefs about this person")
	cmd.Flags().BoolVar(&history, "history", false, "include beliefs that were replaced or retracted")
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

func newBeliefRow(inv *cli.Invocation, cfg *config.Config, b model.Belief) beliefRow {
	row := beliefRow{
		ID: b.ID, About: b.Subject, Relation: b.Relation, Value: b.Value, Status: string(b.Status),
		Confidence: cli.Round(mind.Confidence(b.Evidence, inv.Now())), ToldBy: b.Author, Since: b.Created.In(cfg.Timezone.Location),
		Replaced: b.ReplacedWhy,
	}
	if len(b.Evidence) > 0 {
		row.Quote = b.Evidence[len(b.Evidence)-1].Quote
	}
	return row
}
