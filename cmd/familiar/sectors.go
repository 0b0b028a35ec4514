package main

import (
	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory"
)

// personFlag adds the flag of cmd that names a person, as someone finds them.
func personFlag(cmd *cobra.Command, who *string, usage string) {
	cmd.Flags().StringVar(who, "person", "", usage+": a `NAME` or number")
}

// sectors are the words for memory's sectors.
func sectors() []string {
	return cli.Words([]memory.Sector{memory.Episodic, memory.Semantic, memory.Procedural, memory.Emotional, memory.Reflective})
}
