package find

import (
	"github.com/spf13/cobra"
)

// PersonFlag adds --person to cmd; see Person.
func PersonFlag(cmd *cobra.Command, who *string, usage string) {
	cmd.Flags().StringVar(who, "person", "", usage+": a `NAME` or number")
}
