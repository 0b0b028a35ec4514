package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/jobrun"
)

// runRow is one run of a job.
type runRow struct {
	Run      int64     `json:"run"`
	Job      string    `json:"job"`
	Due      time.Time `json:"due"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
	Status   string    `json:"status"`
	Result   string    `json:"result"`
}

func newRunRow(cfg *config.Config, r jobrun.Run) runRow {
	return runRow{
		Run: r.ID, Job: r.Job, Due: inZone(r.Due, cfg), Started: inZone(r.Started, cfg), Finished: inZone(r.Finished, cfg),
		Status: string(r.Status), Result: r.Result,
	}
}

func newJobRuns(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(50)
	var name string
	cmd := &cobra.Command{
		Use: "runs", Short: "List the runs of jobs, newest first", Args: cobra.NoArgs,
		Long: "List the runs of jobs, newest first. They are kept for thirty days, the last of each job and those of which memories\n" +
			"are left for longer.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				a, err := newJobApp(inv, cfg, store)
				if err != nil {
					return err
				}
				if name != "" {
					if _, err := a.FindTask(name); err != nil {
						return err
					}
				}
				runs, err := store.Jobs.Runs(cmd.Context(), jobrun.Filter{Persona: cfg.Persona, Job: name, Limit: int(limit)})
				if err != nil {
					return err
				}
				rows := make([]runRow, 0, len(runs))
				for _, r := range runs {
					rows = append(rows, newRunRow(cfg, r))
				}
				return cli.Render(inv, rows)
			})
		},
	}
	cmd.Flags().StringVar(&name, "job", "", "only those of the job of this `NAME`")
	cmd.Flags().Var(&limit, "limit", "how many")
	return cmd
}

// outputRow is one thing that a run made.
type outputRow struct {
	What string `json:"what"` // memory, edge, belief, loop, growth, unasked
	// ID is its number: of an edge the memory it begins at, of growth the version, of what was said unasked the person.
	ID   int64  `json:"id"`
	Kind string `json:"kind,omitempty"`
	// Sources are the messages it came from.
	Sources []int64 `json:"sources,omitempty"`
	Text    string  `json:"text"`
}

func outputRows(m erase.RunOutput) []outputRow {
	rows := []outputRow{}
	for _, x := range m.Memories {
		rows = append(rows, outputRow{"memory", x.ID, cmp.Or(string(x.Kind), string(x.Sector)), x.Sources, x.Text})
	}
	for _, e := range m.Edges {
		rows = append(rows, outputRow{What: "edge", ID: e.From, Kind: string(e.Kind), Text: fmt.Sprintf("%d to %d", e.From, e.To)})
	}
	for _, e := range m.Evidence {
		kind := "for"
		if e.Stance < 0 {
			kind = "against"
		}
		text := fmt.Sprintf("%s %s %s: “%s”", e.Subject, e.Relation, e.Value, e.Quote)
		rows = append(rows, outputRow{"belief", e.Belief, kind, []int64{e.Message}, text})
	}
	for _, l := range m.Loops {
		rows = append(rows, outputRow{"loop", l.Loop, l.Did + " " + l.Kind, []int64{l.Message}, l.Text})
	}
	for _, g := range m.Growth {
		rows = append(rows, outputRow{What: "growth", ID: int64(g.Version), Text: g.State})
	}
	for _, u := range m.Unasked {
		kind := "withheld"
		if u.Sent {
			kind = "sent"
		}
		rows = append(rows, outputRow{What: "unasked", ID: u.Person, Kind: kind, Text: u.Subject + ": " + u.Reason})
	}
	return rows
}

func newJobShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show RUN", Short: "Show a run and everything that is left of what it made", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := runNumber(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				run, err := store.Jobs.Run(cmd.Context(), n)
				if err != nil {
					return withRunsHint(err)
				}
				made, err := store.Eraser.RunOutput(cmd.Context(), cfg.Persona, n)
				if err != nil {
					return err
				}
				if inv.JSON {
					return cli.WriteJSON(inv.Out, struct {
						runRow
						Made []outputRow `json:"made"`
					}{newRunRow(cfg, run), outputRows(made)})
				}
				if err := cli.RenderOne(inv, newRunRow(cfg, run)); err != nil {
					return err
				}
				inv.Say("")
				return cli.Render(inv, outputRows(made))
			})
		},
	}
}

func newJobRevert(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "revert RUN", Short: "Take back everything a run made", Args: cobra.ExactArgs(1),
		Long: "Take back everything a run made: memories and edges, what it found for or against beliefs, what it opened, moved or\n" +
			"closed, how it let the persona grow, and what it was about to say. What it had replaced holds again. Sessions it read\n" +
			"count as read, and what it had moved between tiers stays.",
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := runNumber(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				return revertRun(cmd.Context(), inv, cfg, store, n)
			})
		},
	}
}

// revertRun takes a run back and shows what went.
func revertRun(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, run int64) error {
	r, err := store.Eraser.Revert(ctx, cfg.Persona, run)
	if err != nil {
		return withRunsHint(err)
	}
	return cli.RenderOne(inv, struct {
		Run      int64 `json:"run"`
		Memories int   `json:"memories"`
		Edges    int   `json:"edges"`
		Evidence int   `json:"evidence,omitempty"`
		Loops    int   `json:"loops,omitempty"`
		Growth   int   `json:"growth,omitempty"`
		Unsent   int   `json:"unsent,omitempty"`
	}{run, r.Memories, r.Edges, r.Evidence, r.Loops, r.Growth, r.Unsent})
}

// runNumber reads the number of a run.
func runNumber(cmd *cobra.Command, word string) (int64, error) {
	n, err := parseID(cmd, word)
	if err != nil {
		return 0, cli.Usage(cmd, fmt.Errorf("%q is no number of a run; `familiar job runs` shows them", word))
	}
	return n, nil
}

// withRunsHint is err, where it says that there is nothing of a run with where the runs are.
func withRunsHint(err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; `familiar job runs` shows what there is", err)
	}
	return err
}
