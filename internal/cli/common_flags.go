package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"familiar/persona/card"
)

// DryRunFlag adds --dry-run to cmd.
func DryRunFlag(cmd *cobra.Command, dry *bool) {
	cmd.Flags().BoolVar(dry, "dry-run", false, "only show what would change")
}

// CompleteKeys completes persona keys, described by their names.
func CompleteKeys(inv *Invocation) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		home, err := inv.Home()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		entries, err := card.Cards(home.Personas())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var keys []cobra.Completion
		for _, e := range entries {
			if e.Card != nil && !slices.Contains(args, e.Key) {
				keys = append(keys, cobra.CompletionWithDesc(e.Key, e.Card.Name))
			}
		}
		return keys, cobra.ShellCompDirectiveNoFileComp
	}
}
