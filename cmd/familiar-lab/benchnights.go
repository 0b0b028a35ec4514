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
		Use: "nights", Short: "How long the nightly jobs take over many people's memories", Args: cobra.NoArgs,
		Long: "How long the nightly jobs take, one after the other, over a made-up town. Its people have talked once a week, fifty " +
			"messages each time; the last ten messages of each are of the day before and new to the jobs, which have dealt with all " +
			"that is older. A sixth of what they say comes back to a few habits of theirs, which are joined and summed up; one memory " +
			"in five hundred fades that night. The jobs that run by the week run, too. target_s is what night_s is to stay " +
			"under on two cores with the usual numbers; filling the store, which takes some minutes, does not count. The idle night " +
			"is the one after a day on which nobody spoke.",
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
	cmd.Flags().Var(&people, "people", "how many people")
	cmd.Flags().Var(&memories, "memories", "how many memories each of them has")
	return cmd
}

// nightJobs are all jobs that need nothing configured.
func nightJobs(card *card.Card, store *memory.Store, now func() time.Time) (jobs []bench.NightJob) {
	a := app.OnStore(config.Default(), card, store, now)
	store.Recall.Reply(card.Key, card.Language)
	for _, t := range a.Tasks(a.Engine(benchSettings())) {
		if !t.Off() {
			jobs = append(jobs, bench.NightJob{Name: t.Name, Run: a.WithinBudget(t.Run)})
		}
	}
	return jobs
}
