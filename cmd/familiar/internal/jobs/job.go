// Package jobs has `familiar job`: the jobs, their runs, and how to revert one.
package jobs

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

// NewJob returns the verb `familiar job`.
func NewJob(inv *cli.Invocation) *cobra.Command {
	return cli.Group("job", "Show, run and revert jobs",
		"Show, run and revert the jobs that run between conversations. `familiar run` and `familiar chat` run them when they are\n"+
			"due; these commands work at the same time.",
		newJobList(inv), newJobRun(inv), newJobRuns(inv), newJobShow(inv), newJobRevert(inv))
}

// Row is one job in a list.
type Row struct {
	Job  string `json:"job"`
	Spec string `json:"spec"`
	Zone string `json:"zone"`
	// Last is when the job last started, Ended how that run ended.
	Last  time.Time `json:"last,omitzero"`
	Ended string    `json:"ended,omitempty"`
	// Next is when the job is due. A time in the past means that the run is made up for as soon as the home is served.
	Next  time.Time `json:"next,omitzero"`
	Needs string    `json:"needs,omitempty"`
	// Persona is whose job it is.
	Persona string `json:"persona"`
}

func newJobList(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "list", Short: "List the jobs with their last run and next due time", Args: cobra.NoArgs,
		Long: "List the jobs with their last run, its result and the next due time, in the timezone of the schedule. A job that was due\n" +
			"while the home was not served runs once as soon as it is.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			a, err := NewApp(inv, cfg, store, key)
			if err != nil {
				return err
			}
			rows, err := Rows(cmd.Context(), a)
			if err != nil {
				return err
			}
			return cli.Render(inv, rows)
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, jobsOfUsage)
	return cmd
}

// jobsOfUsage describes the flag of the persona whose jobs are meant.
const jobsOfUsage = "the jobs of the persona with this `KEY` (default: the configured one, which does what the whole home needs)"

// Rows returns all jobs with their last runs and next due times.
func Rows(ctx context.Context, a *app.App) (rows []Row, _ error) {
	for _, t := range a.Tasks(a.Engine(a.Settings())) {
		row, err := newJobRow(ctx, a, t)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func newJobRow(ctx context.Context, a *app.App, t app.Task) (Row, error) {
	zone := t.Zone()
	row := Row{Job: t.Name, Persona: a.Card.Key, Spec: string(t.Schedule), Zone: zone.String(), Needs: t.Needs}
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
