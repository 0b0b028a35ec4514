package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
)

func newJob(inv *cli.Invocation) *cobra.Command {
	return cli.Group("job", "See and run what happens between conversations",
		"See and run what happens between conversations. `familiar run` and `familiar chat` run the jobs when they are due; these\n"+
			"verbs work beside them.",
		newJobList(inv), newJobRun(inv), newJobRuns(inv), newJobShow(inv), newJobRevert(inv))
}

// jobRow is one job in a list.
type jobRow struct {
	Job  string `json:"job"`
	Spec string `json:"spec"`
	Zone string `json:"zone"`
	// Last is when it began last, Ended how that ended.
	Last  time.Time `json:"last,omitzero"`
	Ended string    `json:"ended,omitempty"`
	// Next is when it is due; a time that has passed is made up for as soon as the persona is served.
	Next  time.Time `json:"next,omitzero"`
	Needs string    `json:"needs,omitempty"`
}

func newJobList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the jobs: when each ran, how that ended, and when it is due", Args: cobra.NoArgs,
		Long: "List the jobs: when each ran, how that ended, and when it is due, in the zone its schedule is read in. What was due\n" +
			"while the persona was not served is made up for once, as soon as it is.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				a, err := newJobApp(inv, cfg, store)
				if err != nil {
					return err
				}
				rows := []jobRow{}
				for _, t := range a.Tasks(a.Engine(a.Settings())) {
					row, err := newJobRow(cmd.Context(), a, t)
					if err != nil {
						return err
					}
					rows = append(rows, row)
				}
				return cli.Render(inv, rows)
			})
		},
	}
}

// newJobApp is a house with a store and nobody in it who speaks, to look at its jobs.
func newJobApp(inv *cli.Invocation, cfg *config.Config, store *memory.Store) (*app.App, error) {
	card, err := app.LoadCard(cfg)
	return app.ForStore(cfg, card, store, inv.Now), err
}

func newJobRow(ctx context.Context, a *app.App, t app.Task) (jobRow, error) {
	zone := a.JobsZone()
	row := jobRow{Job: t.Name, Spec: string(t.When), Zone: zone.String(), Needs: t.Needs}
	last, err := a.Store.Jobs.LastRun(ctx, a.Card.Key, t.Name)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return row, err
	}
	if err == nil {
		row.Last, row.Ended = last.Started.In(zone), string(last.Status)
	}
	if t.Off() {
		return row, nil
	}
	job, err := a.Job(t)
	if err == nil {
		row.Next = job.Schedule.Due(last.Due, a.Now())
	}
	return row, err
}
