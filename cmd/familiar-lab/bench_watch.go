package main

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/lab/bench"
)

func newBenchWatch(inv *cli.Invocation) *cobra.Command {
	files, megabytes, turns, idle := cli.Count(1000), cli.Count(100), cli.Count(20_000), time.Minute
	cmd := &cobra.Command{
		Use: "watch", Short: "Measure following session files: idle, and reading noise and talk", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Watch(cmd.Context(), bench.WatchParts{
				RecallParts: parts, Files: int(files), Megabytes: int(megabytes), Turns: int(turns), Idle: idle,
			})
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&files, "files", "number of files that do not change")
	cmd.Flags().Var(&megabytes, "noise", "size of the session of noise, in MB")
	cmd.Flags().Var(&turns, "turns", "number of messages of the session of talk")
	cmd.Flags().DurationVar(&idle, "idle", idle, "how long the files are followed")
	return cmd
}
