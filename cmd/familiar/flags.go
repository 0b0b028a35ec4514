package main

import (
	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory/model"
)

// personFlag adds the flag of cmd that names a person, as someone finds them.
func personFlag(cmd *cobra.Command, who *string, usage string) {
	cmd.Flags().StringVar(who, "person", "", usage+": a `NAME` or number")
}

// sectorNames are the words for memory's sectors.
func sectorNames() []string {
	return cli.Strings([]model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective})
}
