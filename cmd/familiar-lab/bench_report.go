package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/lab/bench"
	"familiar/persona/plain"
)

func newBenchCompare(inv *cli.Invocation) *cobra.Command {
	baseline := cli.Choice{Value: bench.FTS5, Of: []string{bench.FTS5}}
	cmd := &cobra.Command{
		Use: "compare FILE…", Short: "Compare recall with a plain full-text index on the same conversations", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Compare(cmd.Context(), parts, files)
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cli.ChoiceFlag(cmd, &baseline, "baseline", "the index to compare with")
	return cmd
}

func newBenchScale(inv *cli.Invocation) *cobra.Command {
	sizes, rooms := []int{1000, 10_000, 100_000}, 1
	cmd := &cobra.Command{
		Use: "scale", Short: "Measure recall and ingestion as the database grows", Args: cobra.NoArgs,
		Long: "Measure recall and ingestion as the database grows: in one room, or with --rooms in many rooms that are asked in turn.\n" +
			"The indexes take the default share of this machine's memory. In one room, turn is also measured: what the product adds to\n" +
			"a model's time for an answer, with a loopback provider that answers at once.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, n := range sizes {
				if n < 1 {
					return cli.Usage(cmd, fmt.Errorf("--memories %d: use numbers of at least 1", n))
				}
			}
			if rooms < 1 {
				return cli.Usage(cmd, fmt.Errorf("--rooms %d: use a number of at least 1", rooms))
			}
			parts, err := benchParts()
			if err != nil {
				return err
			}
			var report bench.ScaleReport
			if rooms == 1 {
				report, err = bench.Scale(cmd.Context(), parts, sizes)
			} else {
				report, err = bench.ScaleRooms(cmd.Context(), parts, sizes, rooms)
			}
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().IntSliceVar(&sizes, "memories", sizes, "numbers of memories per room, one database each")
	cmd.Flags().IntVar(&rooms, "rooms", rooms, "number of rooms with that many memories each")
	return cmd
}

// benchParts returns the default persona with the plain voice.
func benchParts() (bench.RecallParts, error) {
	card, err := benchCard()
	return bench.RecallParts{Card: card, Voice: plain.New(), Settings: benchSettings()}, err
}

func newBenchReport(inv *cli.Invocation) *cobra.Command {
	var data, kept string
	var short bool
	cmd := &cobra.Command{
		Use: "report", Short: "Show all benchmarks in one table with reference figures", Args: cobra.NoArgs,
		Long: "Show all benchmarks in one table with reference figures. Recall uses the conversations in LoCoMo format in DIR/locomo,\n" +
			"and the newest-fact benchmark the files in DIR/factconsolidation.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := reportParts(inv, data, short)
			if err != nil {
				return err
			}
			if err := checkReport(kept); err != nil {
				return cli.Usage(cmd, err)
			}
			results, err := bench.Report(cmd.Context(), parts)
			if err != nil {
				return err
			}
			if err := keepReport(kept, results.File); err != nil {
				return err
			}
			inv.Say("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return cli.Render(inv, results.Figures())
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "`DIR` with the data sets; without it recall is skipped")
	cmd.Flags().BoolVar(&short, "short", false, "use small databases and few messages, for a quick check")
	reportFlag(cmd, &kept)
	return cmd
}

// reportParts returns what a report covers. A directory that is named must contain conversations.
func reportParts(inv *cli.Invocation, data string, short bool) (bench.ReportParts, error) {
	recall, err := benchParts()
	if err != nil {
		return bench.ReportParts{}, err
	}
	parts := bench.ReportParts{RecallParts: recall, Sizes: []int{1000, 10_000, 100_000}, Messages: 2000, Rooms: 8}
	if short {
		parts.Sizes, parts.Messages = []int{1000}, 200
	}
	if data == "" {
		inv.Note("recall is skipped: name a directory with locomo/*.json conversations (make bench DATA=DIR)")
		return parts, nil
	}
	if parts.Facts, err = filepath.Glob(filepath.Join(data, "factconsolidation", "*.json")); err != nil {
		return parts, err
	}
	pattern := filepath.Join(data, "locomo", "*.json")
	if parts.Conversations, err = filepath.Glob(pattern); err == nil && len(parts.Conversations) == 0 {
		err = fmt.Errorf("there are no conversations at %s: name a directory that contains some", pattern)
	}
	return parts, err
}
