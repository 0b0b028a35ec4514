package jobs

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
		Run: r.ID, Job: r.Job, Due: cli.InZone(r.Due, cfg), Started: cli.InZone(r.Started, cfg), Finished: cli.InZone(r.Finished, cfg),
		Status: string(r.Status), Result: r.Result,
	}
}

func newJobRuns(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(50)
	var name, key string
	cmd := &cobra.Command{
		Use: "runs", Short: "List the runs of jobs, newest first", Args: cobra.NoArgs,
		Long: "List the runs of jobs, newest first. Runs are kept for 30 days; the last run of each job, and runs whose memories still\n" +
			"exist, are kept longer.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			a, err := NewApp(inv, cfg, store, key)
			if err != nil {
				return err
			}
			if name != "" {
				if _, err := a.FindTask(name); err != nil {
					return err
				}
			}
			runs, err := store.Jobs.Runs(cmd.Context(), jobrun.Filter{Persona: a.Card.Key, Job: name, Limit: int(limit)})
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, runs, func(r jobrun.Run) runRow { return newRunRow(cfg, r) })
		}),
	}
	cmd.Flags().StringVar(&name, "job", "", "only runs of the job with this `NAME`")
	cli.PersonaFlag(cmd, inv, &key, jobsOfUsage)
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

// outputRow is one thing that a run wrote.
type outputRow struct {
	What string `json:"what"` // memory, edge, belief, loop, growth, unasked
	// ID is its number. An edge has that of the memory it starts at, growth its version, a proactive message that of
	// the person.
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
	for _, u := range m.Proactive {
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
		Use: "show RUN", Short: "Show a run and what is left of its output", Args: cobra.ExactArgs(1),
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
		Use: "revert RUN", Short: "Revert everything a run did", Args: cobra.ExactArgs(1),
		Long: "Revert everything a run did: memories and edges, evidence for and against beliefs, changes to open topics, growth of the\n" +
			"persona, and messages that are not yet sent. What it replaced becomes current again. Two things stay: sessions that it\n" +
			"read count as read, and memories that it moved between tiers are not moved back.",
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := runNumber(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				return RevertRun(cmd.Context(), inv, cfg, store, n)
			})
		},
	}
}

// RevertRun reverts a run and shows what was removed.
func RevertRun(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, run int64) error {
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

// runNumber parses the number of a run.
func runNumber(cmd *cobra.Command, word string) (int64, error) {
	n, err := cli.ParseID(cmd, word)
	if err != nil {
		return 0, cli.Usage(cmd, fmt.Errorf("%q is not the number of a run; `familiar job runs` lists them", word))
	}
	return n, nil
}

// withRunsHint adds to a not-found error how to list the runs.
func withRunsHint(err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; `familiar job runs` lists them", err)
	}
	return err
}
