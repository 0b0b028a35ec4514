// Familiar-lab measures Familiar: benchmarks, talk probes, a simulated year and a comparison with simpler memories. It is not
// part of the product's binary. See familiar-lab --help.
package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/lab/place"
)

func main() { os.Exit(cli.Run(newRoot, time.Now)) }

func newRoot(inv *cli.Invocation) *cobra.Command {
	root := cli.NewRoot(inv, cli.Group("familiar-lab", "Measure Familiar: benchmarks, talk probes, a simulated year, a comparison",
		"Familiar-lab measures the memory and the engine of Familiar on this machine, in temporary databases.\n\n"+cli.ExitCodes),
		[]func(*cli.Invocation) *cobra.Command{newBench, newTalk, newSimulate, newCompare, newPrompts, newReader, newEvidence, newFleet})
	server := root.PersistentFlags().String("database", "", "the `URL` of a PostgreSQL database for what is measured, each in a schema that is removed\n"+
		"afterwards (default temporary files)")
	checkFlags := root.PersistentPreRunE
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if *server != "" {
			inv.ExpectServer() // as familiar does
			cmd.SetContext(place.OnServer(cmd.Context(), *server))
		}
		return checkFlags(cmd, args)
	}
	return root
}
