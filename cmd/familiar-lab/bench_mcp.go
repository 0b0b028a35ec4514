package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/lab/bench"
)

func newBenchMCP(inv *cli.Invocation) *cobra.Command {
	memories, calls, clients := cli.Count(100_000), cli.Count(200), cli.Count(50)
	var binary string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Measure the MCP server: recall through the program, and many clients at once", Args: cobra.NoArgs,
		Long: "Measure the MCP server on a store of one group: how long a recall takes through `familiar mcp`, which is started as\n" +
			"editors start it, and whether many clients over HTTP, each in its own session, are all served.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			parts := bench.MCPParts{Memories: int(memories), Calls: int(calls), Clients: int(clients)}
			if parts.RecallParts, err = benchParts(); err != nil {
				return err
			}
			if parts.Binary, err = familiarBinary(binary); err != nil {
				return err
			}
			if parts.Home, err = os.MkdirTemp("", "familiar-bench-"); err != nil {
				return fmt.Errorf("make a home for the benchmark: %w", err)
			}
			defer os.RemoveAll(parts.Home) //nolint:errcheck // the system cleans its temporary directory
			parts.Database = config.Home(parts.Home).Database()
			report, err := bench.MCP(cmd.Context(), parts)
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&memories, "memories", "number of memories")
	cmd.Flags().Var(&calls, "calls", "number of recalls that each client makes")
	cmd.Flags().Var(&clients, "clients", "number of clients that ask at once")
	cmd.Flags().StringVar(&binary, "binary", "", "the familiar to measure: a `FILE` (default: the one beside this program, else the one in PATH)")
	return cmd
}

// familiarBinary returns the program to measure.
func familiarBinary(named string) (string, error) {
	if named != "" {
		return exec.LookPath(named)
	}
	if own, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(own), "familiar")); err == nil {
			return beside, nil
		}
	}
	found, err := exec.LookPath("familiar")
	if err != nil {
		return "", fmt.Errorf("find the familiar to measure: %w: name it with --binary", err)
	}
	return found, nil
}
