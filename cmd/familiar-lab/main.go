// Familiar-lab measures Familiar: benchmarks, talk probes, a simulated year and a comparison with simpler memories. It is not
// part of the product's binary. See familiar-lab --help.
package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
)

func main() { os.Exit(cli.Run(newRoot, time.Now)) }

func newRoot(inv *cli.Invocation) *cobra.Command {
	return cli.NewRoot(inv, cli.Group("familiar-lab", "Measure Familiar: benchmarks, talk probes, a simulated year, a comparison",
		"Familiar-lab measures the memory and the engine of Familiar on this machine, in temporary databases.\n\n"+cli.ExitCodes),
		[]func(*cli.Invocation) *cobra.Command{newBench, newTalk, newSimulate, newCompare, newPrompts, newReader, newEvidence})
}
