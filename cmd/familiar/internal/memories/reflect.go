package memories

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/jobs"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
)

// moveRow is one change that a reflection makes or would make.
type moveRow struct {
	Action string `json:"action"` // move, forget, merge
	ID     int64  `json:"id"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Why    string `json:"why"`
	Text   string `json:"text"`
}

func moveRows(moves []lifecycle.Move, clusters []lifecycle.Cluster) []moveRow {
	rows := make([]moveRow, 0, len(moves))
	for _, m := range moves {
		row := moveRow{Action: "move", ID: m.ID, From: string(m.From), To: string(m.To), Why: m.Rule, Text: m.Text}
		if m.To == "" {
			row.Action = "forget"
		}
		rows = append(rows, row)
	}
	for i, c := range clusters {
		for _, m := range c.Members {
			row := moveRow{Action: "merge", ID: m.ID, From: string(m.Tier), To: fmt.Sprintf("summary %d", i+1), Why: "alike", Text: m.Text}
			if c.Summary.ID != 0 {
				row.To = fmt.Sprintf("memory %d", c.Summary.ID)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// recordRun does the work of a job as a run in the ledger, so that it can be inspected and reverted. It prints the
// run's number.
func recordRun(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, job string, do func(run int64) (fmt.Stringer, error)) error {
	run, err := store.Jobs.BeginRun(ctx, cfg.Persona, job, inv.Now())
	if err != nil {
		return err
	}
	result, err := do(run)
	if err != nil {
		return errors.Join(err, store.Jobs.FinishRun(ctx, run, jobrun.StatusFailed, err.Error()))
	}
	inv.Note("run %d: %s", run, result)
	return store.Jobs.FinishRun(ctx, run, jobrun.StatusOK, result.String())
}

func newMemoryReflect(inv *cli.Invocation) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use: "reflect", Short: "Link, move, summarize and forget memories now, as the jobs do", Args: cobra.NoArgs,
		Long: "Do the work of the jobs link, decay and consolidate now: link similar memories, move memories between tiers by the\n" +
			"rules, forget decayed ones, weaken unused edges, and summarize similar memories.",
		Example: "  familiar memory reflect --dry-run",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			if dry {
				r, err := store.Lifecycle.PlanConsolidation(cmd.Context(), cfg.Persona, inv.Now())
				if err != nil {
					return err
				}
				inv.Note("dry run: %s", r)
				return cli.Render(inv, moveRows(r.Moves, r.Clusters))
			}
			return reflectNow(cmd.Context(), inv, cfg, store)
		}),
	}
	cli.DryRunFlag(cmd, &dry)
	return cmd
}

// reflectNow does the work of the jobs link and consolidate, and shows what was moved and summarized.
func reflectNow(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store) error {
	if err := linkNow(ctx, inv, cfg, store); err != nil {
		return err
	}
	var done lifecycle.Consolidation
	err := recordRun(ctx, inv, cfg, store, "consolidate", func(run int64) (_ fmt.Stringer, err error) {
		done, err = store.Lifecycle.Consolidate(ctx, cfg.Persona, run, inv.Now())
		return done, err
	})
	if err != nil {
		return err
	}
	return cli.Render(inv, moveRows(done.Moves, done.Clusters))
}

// linkNow links what was written since the job link last ran.
func linkNow(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store) error {
	return recordRun(ctx, inv, cfg, store, "link", func(run int64) (fmt.Stringer, error) { return store.Lifecycle.Link(ctx, cfg.Persona, run) })
}

// clusterRow is one group of similar memories.
type clusterRow struct {
	Size    int     `json:"size"`
	Summary int64   `json:"summary,omitempty"`
	Members []int64 `json:"members"`
	Text    string  `json:"text"`
}

func clusterRows(clusters []lifecycle.Cluster) []clusterRow {
	rows := make([]clusterRow, 0, len(clusters))
	for _, c := range clusters {
		row := clusterRow{Size: len(c.Members), Summary: c.Summary.ID, Text: c.Summary.Text}
		for _, m := range c.Members {
			row.Members = append(row.Members, m.ID)
		}
		rows = append(rows, row)
	}
	return rows
}

func newMemoryClusters(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "clusters", Short: "List groups of similar memories that have no summary yet", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			clusters, err := store.Lifecycle.Clusters(cmd.Context(), cfg.Persona)
			if err != nil {
				return err
			}
			return cli.Render(inv, clusterRows(clusters))
		}),
	}
}

func newMemoryConsolidate(inv *cli.Invocation) *cobra.Command {
	var dry bool
	var revert cli.Count
	cmd := &cobra.Command{
		Use: "consolidate", Short: "Summarize groups of similar memories; the memories stay unchanged", Args: cobra.NoArgs,
		Long: "Summarize groups of similar memories. The memories stay unchanged and searchable; in the context of a reply, the summary\n" +
			"represents them. --revert reverts a run.",
		Example: "  familiar memory consolidate --dry-run\n  familiar memory consolidate --revert 41",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			switch {
			case revert != 0:
				return jobs.RevertRun(cmd.Context(), inv, cfg, store, int64(revert))
			case dry:
				clusters, err := store.Lifecycle.Clusters(cmd.Context(), cfg.Persona)
				if err != nil {
					return err
				}
				return cli.Render(inv, clusterRows(clusters))
			}
			if err := linkNow(cmd.Context(), inv, cfg, store); err != nil {
				return err
			}
			var done []lifecycle.Cluster
			err := recordRun(cmd.Context(), inv, cfg, store, "consolidate", func(run int64) (_ fmt.Stringer, err error) {
				done, err = store.Lifecycle.SummarizeClusters(cmd.Context(), cfg.Persona, run)
				return lifecycle.Consolidation{Clusters: done}, err
			})
			if err != nil {
				return err
			}
			return cli.Render(inv, clusterRows(done))
		}),
	}
	cli.DryRunFlag(cmd, &dry)
	cmd.Flags().Var(&revert, "revert", "revert the run with this number")
	return cmd
}

func newMemoryGC(inv *cli.Invocation) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use: "gc", Short: "Delete expired memories and those dormant for too long", Args: cobra.NoArgs,
		Long: "Delete expired memories and those dormant for too long, with everything derived from them. Their messages stay in the\n" +
			"session: `familiar memory forget` deletes those too.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			if dry {
				dead, err := store.Lifecycle.Dead(cmd.Context(), cfg.Persona, inv.Now())
				if err != nil {
					return err
				}
				return cli.Render(inv, moveRows(dead, nil))
			}
			dead, gone, err := store.Lifecycle.Collect(cmd.Context(), cfg.Persona, inv.Now())
			if err != nil {
				return err
			}
			inv.Note("%s deleted", english.Plural(gone, "memory", "memories"))
			return cli.Render(inv, moveRows(dead, nil))
		}),
	}
	cli.DryRunFlag(cmd, &dry)
	return cmd
}
