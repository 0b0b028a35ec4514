// Package exports has `familiar export`: what other programs make something of.
package exports

import (
	"github.com/spf13/cobra"

	"familiar/internal/cli"
)

// NewExport returns the verb `familiar export`.
func NewExport(inv *cli.Invocation) *cobra.Command {
	return cli.Group("export", "Export conversations for other programs",
		"Export conversations for other programs. `familiar memory export` exports everything, `familiar person export` what is known of\n"+
			"one person, `familiar persona export` a persona.",
		newExportTraining(inv))
}
