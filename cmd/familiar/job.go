package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/spelling"
	"familiar/memory"

	"familiar/persona"
)

func newJob(a *app) *cobra.Command {
	return group("job", "See and run what happens between conversations",
		"See and run what happens between conversations. `familiar run` and `familiar chat` run the jobs when they are due; these\n"+
			"verbs work beside them.",
		newJobList(a), newJobRun(a), newJobRuns(a), newJobShow(a), newJobRevert(a))
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

func newJobList(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the jobs: when each ran, how that ended, and when it is due", Args: cobra.NoArgs,
		Long: "List the jobs: when each ran, how that ended, and when it is due, in the zone its schedule is read in. What was due\n" +
			"while the persona was not served is made up for once, as soon as it is.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				h, err := a.emptyHouse(cfg, store)
				if err != nil {
					return err
				}
				rows := []jobRow{}
				for _, t := range h.tasks(h.engine(h.settings())) {
					row, err := h.jobRow(cmd.Context(), t)
					if err != nil {
						return err
					}
					rows = append(rows, row)
				}
				return render(a, rows)
			})
		},
	}
}

// emptyHouse is a house with a store and nobody in it who speaks, to look at its jobs.
func (a *app) emptyHouse(cfg *config.Config, store *memory.Store) (*house, error) {
	card, err := speaker(cfg)
	return &house{cfg: cfg, card: card, store: store, voice: persona.NewPlain(), log: slog.New(slog.DiscardHandler), now: a.now}, err
}

func (h *house) jobRow(ctx context.Context, t task) (jobRow, error) {
	zone := h.jobsZone()
	row := jobRow{Job: t.name, Spec: string(t.when), Zone: zone.String(), Needs: t.needs}
	last, err := h.store.Jobs.LastRun(ctx, h.card.Key, t.name)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return row, err
	}
	if err == nil {
		row.Last, row.Ended = last.Started.In(zone), string(last.Status)
	}
	if t.off() {
		return row, nil
	}
	job, err := h.job(t)
	if err == nil {
		row.Next = job.Schedule.Due(last.Due, h.now())
	}
	return row, err
}

// task finds a task by its name.
func (h *house) task(name string) (task, error) {
	var known []string
	for _, t := range h.tasks(h.engine(h.settings())) {
		if t.name == name {
			return t, nil
		}
		known = append(known, t.name)
	}
	if near := spelling.Nearest(name, known); near != "" {
		return task{}, fmt.Errorf("job %q: %w: did you mean %q?", name, memory.ErrNotFound, near)
	}
	return task{}, fmt.Errorf("job %q: %w; `familiar job list` shows what there is", name, memory.ErrNotFound)
}
