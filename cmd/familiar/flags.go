package main

import (
	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory/model"
)

// personFlag adds --person to cmd; see findPerson.
func personFlag(cmd *cobra.Command, who *string, usage string) {
	cmd.Flags().StringVar(who, "person", "", usage+": a `NAME` or number")
}

// sectorNames returns the names of the sectors.
func sectorNames() []string {
	return cli.Strings([]model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective})
}
