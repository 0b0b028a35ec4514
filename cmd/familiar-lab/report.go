package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"familiar/web/simulate/report"
)

// reportFlag adds the flag for a file that the dashboard shows.
func reportFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "report", "", "write the result with its charts to `FILE`, .json, for the dashboard's page Simulate")
}

// checkReport reports whether a report can be written to file, "" for none, before the work that fills it.
func checkReport(file string) error {
	if file == "" {
		return nil
	}
	return checkWritable("--report", file)
}

// keepReport writes a report to file, "" for none.
func keepReport(file string, of func() report.Report) error {
	if file == "" {
		return nil
	}
	if err := writeFile(file, of().Write); err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
}
