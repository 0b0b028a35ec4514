package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/bench"
	"familiar/persona"
)

func newBench(a *app) *cobra.Command {
	return group("bench", "Measure the product on this machine",
		"Measure the product on this machine, through its own doors and in stores of its own. Results are one JSON object; "+
			"report shows them all as a table.",
		newBenchRecall(a), newBenchCompare(a), newBenchScale(a), newBenchTurn(a), newBenchReport(a))
}

func newBenchRecall(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "recall FILE…", Short: "Recall quality on conversations in LoCoMo format", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Recall(cmd.Context(), parts, files)
			if err != nil {
				return err
			}
			return writeJSON(a.out, report)
		},
	}
}

func newBenchCompare(a *app) *cobra.Command {
	baseline := choice{value: bench.FTS5, of: []string{bench.FTS5}}
	cmd := &cobra.Command{
		Use: "compare FILE…", Short: "Recall beside a plain full-text index, on the same conversations", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Compare(cmd.Context(), parts, files)
			if err != nil {
				return err
			}
			return writeJSON(a.out, report)
		},
	}
	choiceFlag(cmd, &baseline, "baseline", "what to compare with")
	return cmd
}

func newBenchScale(a *app) *cobra.Command {
	sizes := []int{1000, 10_000, 100_000}
	cmd := &cobra.Command{
		Use: "scale", Short: "How recall and ingestion fare as a store grows", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, n := range sizes {
				if n < 1 {
					return usage(cmd, fmt.Errorf("--memories %d: take numbers from 1 up", n))
				}
			}
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Scale(cmd.Context(), parts, sizes)
			if err != nil {
				return err
			}
			return writeJSON(a.out, report)
		},
	}
	cmd.Flags().IntSliceVar(&sizes, "memories", sizes, "how many memories, one store each")
	return cmd
}

func newBenchTurn(a *app) *cobra.Command {
	messages, rooms := count(2000), count(8)
	cmd := &cobra.Command{
		Use: "turn", Short: "How many messages a second pass from inbox to answer", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			card, err := benchCard()
			if err != nil {
				return err
			}
			report, err := bench.Turn(cmd.Context(), card, persona.NewPlain(), benchSettings(), int(messages), int(rooms))
			if err != nil {
				return err
			}
			return writeJSON(a.out, report)
		},
	}
	cmd.Flags().Var(&messages, "messages", "how many messages")
	cmd.Flags().Var(&rooms, "rooms", "in how many rooms")
	return cmd
}

// benchCard is the persona that is measured: the one everybody starts with, whatever is configured here.
func benchCard() (*persona.Card, error) { return persona.LoadCard("", config.DefaultPersona) }

// benchParts are what listens: the persona everybody starts with, and its plain voice.
func benchParts() (bench.RecallParts, error) {
	card, err := benchCard()
	return bench.RecallParts{Card: card, Voice: persona.NewPlain(), Settings: benchSettings()}, err
}

// benchSettings are the defaults, whatever is configured here.
func benchSettings() persona.Settings { return engineSettings(config.Default(), time.UTC) }
