package main

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/bench"
	"familiar/memory"

	"familiar/persona/card"
)

func newBenchNights(inv *cli.Invocation) *cobra.Command {
	people, memories := cli.Count(bench.DefaultPeople), cli.Count(bench.DefaultMemories)
	cmd := &cobra.Command{
		Use: "nights", Short: "Measure the nightly jobs on the memories of many people", Args: cobra.NoArgs,
		Long: "Measure how long the nightly jobs take, one after the other, for a generated town. Its people wrote fifty messages once\n" +
			"a week; the last ten messages of each are from the previous day and new to the jobs, which have processed everything\n" +
			"older. A sixth of the messages is about a few recurring habits, which are linked and summarized; one memory in five\n" +
			"hundred decays that night. Weekly jobs run too. target_s is the limit for night_s on two cores with the default numbers;\n" +
			"filling the database, which takes some minutes, does not count. The idle night follows a day without messages.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			card, err := benchCard()
			if err != nil {
				return err
			}
			report, err := bench.Nights(cmd.Context(), bench.NightParts{
				Persona: card.Key, People: int(people), Memories: int(memories),
				Jobs: func(store *memory.Store, now func() time.Time) []bench.NightJob { return nightJobs(card, store, now) },
			})
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&people, "people", "number of people")
	cmd.Flags().Var(&memories, "memories", "number of memories of each person")
	return cmd
}

// nightJobs returns all jobs that need no model and no embedder.
func nightJobs(card *card.Card, store *memory.Store, now func() time.Time) (jobs []bench.NightJob) {
	a := app.ForStore(config.Default(), card, store, now)
	store.Recall.SetLanguage(card.Key, card.Language)
	for _, t := range a.Tasks(a.Engine(benchSettings())) {
		if !t.Off() {
			jobs = append(jobs, bench.NightJob{Name: t.Name, Run: a.WithinBudget(t.Name, t.Run)})
		}
	}
	return jobs
}
