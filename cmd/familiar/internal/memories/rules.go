package memories

import (
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
)

func newMemoryRules(inv *cli.Invocation) *cobra.Command {
	return cli.Group("rules", "List, add and remove the rules that move memories between tiers",
		"List, add and remove the rules that move memories between tiers. The first rule in the list that matches a memory\n"+
			"applies; `familiar memory reflect --dry-run` shows the effect.\n\n"+model.RuleSyntax,
		newRulesList(inv), newRulesAdd(inv), newRulesRemove(inv))
}

// ruleRow is one rule. A built-in rule has no number.
type ruleRow struct {
	ID      int64  `json:"id,omitempty"`
	BuiltIn bool   `json:"built_in"`
	Rule    string `json:"rule"`
}

func newRuleRow(r model.Rule) ruleRow {
	return ruleRow{ID: r.ID, BuiltIn: r.ID == 0, Rule: r.String()}
}

func newRulesList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the rules in the order in which they apply", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			rules, err := store.Lifecycle.Rules(cmd.Context(), cfg.Persona)
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, rules, newRuleRow)
		}),
	}
}

func newRulesAdd(inv *cli.Invocation) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use: "add RULE…", Short: "Add a rule in front of the built-in ones", Args: cobra.MinimumNArgs(1),
		Long: "Add a rule in front of the built-in ones. With --dry-run, only show what all rules would move if it were added.\n\n" +
			model.RuleSyntax,
		Example: "  familiar memory rules add 'promote short long when uses >= 2 and age >= 3d'\n" +
			"  familiar memory rules add 'keep any when tag = travel'",
		RunE: func(cmd *cobra.Command, words []string) error {
			text := strings.Join(words, " ")
			rule, err := model.ParseRule(text)
			if err != nil {
				return cli.Usage(cmd, err)
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				if dry {
					r, err := store.Lifecycle.PlanConsolidation(cmd.Context(), cfg.Persona, inv.Now(), rule)
					if err != nil {
						return err
					}
					return cli.Render(inv, moveRows(r.Moves, nil))
				}
				r, err := store.Lifecycle.AddRule(cmd.Context(), cfg.Persona, text)
				if err != nil {
					return err
				}
				return cli.RenderOne(inv, newRuleRow(r))
			})
		},
	}
	cli.DryRunFlag(cmd, &dry)
	return cmd
}

func newRulesRemove(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "rm NUMBER", Short: "Remove a rule that you added", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				if err := store.Lifecycle.RemoveRule(cmd.Context(), cfg.Persona, n); err != nil {
					return cli.WithListHint(cmd, err)
				}
				return cli.RenderDone(inv, struct {
					Removed int64 `json:"removed"`
				}{n}, "rule %d removed", n)
			})
		},
	}
}
