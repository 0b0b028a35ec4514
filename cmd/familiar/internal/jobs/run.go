package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/persona/card"
)

func newJobRun(inv *cli.Invocation) *cobra.Command {
	dry, key := false, ""
	cmd := &cobra.Command{
		Use: "run NAME", Short: "Run a job now, even if it is off", Args: cobra.ExactArgs(1),
		Long: "Run a job now, even if it is off, exactly as the scheduler would: with a row in the ledger, within its limits, and never\n" +
			"for a person that another run is working on. The home may be served at the same time.\n\n" +
			"With --dry-run the job runs on a copy of the database, which is deleted afterwards, and its output is shown. No model is\n" +
			"called, so it costs nothing: texts come from the plain voice, and jobs that need a model find nothing.",
		Example: "  familiar job run consolidate --dry-run",
		RunE: func(cmd *cobra.Command, args []string) error {
			if dry {
				return dryRun(cmd.Context(), inv, args[0], key)
			}
			return Run(cmd.Context(), inv, args[0], key)
		},
	}
	cli.DryRunFlag(cmd, &dry)
	cli.PersonaFlag(cmd, inv, &key, jobsOfUsage)
	return cmd
}

// Run runs a job of a persona in the home.
func Run(ctx context.Context, inv *cli.Invocation, name, key string) error {
	return cli.WithApp(ctx, inv, func(a *app.App) error {
		if key != "" && key != a.Card.Key {
			c, err := card.LoadCard(a.Config.Home.Personas(), key)
			if err != nil {
				return err
			}
			if a, err = a.As(c); err != nil {
				return err
			}
		}
		a.AwaitWindows(ctx)
		run, err := runNow(ctx, a, name)
		if err != nil {
			return err
		}
		return cli.RenderOne(inv, newRunRow(a.Config, run))
	})
}

// runNow runs a job as the scheduler does and returns its row in the ledger.
func runNow(ctx context.Context, a *app.App, name string) (jobrun.Run, error) {
	t, err := a.FindTask(name)
	if err != nil {
		return jobrun.Run{}, err
	}
	if t.Needs != "" {
		return jobrun.Run{}, cli.NoneConfigured("job "+t.Name, t.Needs)
	}
	job, err := a.Job(t)
	if err != nil {
		return jobrun.Run{}, err
	}
	out, err := a.Scheduler().RunOnce(ctx, job, a.Now())
	if err != nil {
		return jobrun.Run{}, fmt.Errorf("run %d of %s: %w", out.Run, t.Name, err)
	}
	return a.Store.Jobs.Run(ctx, out.Run)
}

// dryRun runs a job without a model on a copy of the store and shows what it wrote there.
func dryRun(ctx context.Context, inv *cli.Invocation, name, key string) error {
	return inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		a, err := NewApp(inv, cfg, store, key)
		if err != nil {
			return err
		}
		if _, err := a.FindTask(name); err != nil { // before anything is copied
			return err
		}
		return withCopy(ctx, inv, a, func() error { return showDryRun(ctx, inv, a, name) })
	})
}

// withCopy calls do while a works on a copy of its store.
func withCopy(ctx context.Context, inv *cli.Invocation, a *app.App, do func() error) (err error) {
	dir := a.Config.Home.DryRun()
	lock, err := app.LockDryRun(dir, inv.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir), lock.Release()) }()
	path := filepath.Join(dir, filepath.Base(a.Config.Home.Database()))
	if err := a.Store.Backup(ctx, path); err != nil {
		return err
	}
	if a.Store, err = app.OpenCopy(ctx, path, a.Config, a.Card, inv.Now); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Store.Close()) }()
	a.Store.Recall.SetLanguage(a.Card.Key, a.Card.Language)
	return do()
}

func showDryRun(ctx context.Context, inv *cli.Invocation, a *app.App, name string) error {
	run, err := runNow(ctx, a, name)
	if err != nil {
		return err
	}
	made, err := a.Store.Eraser.RunOutput(ctx, a.Card.Key, run.ID)
	if err != nil {
		return err
	}
	inv.Note("dry run: %s", run.Result)
	if len(a.Config.Models(a.Card.Key).ForWork()) > 0 {
		inv.Note("a dry run calls no model: a real run may write more, in other words")
	}
	if inv.JSON {
		return cli.WriteJSON(inv.Out, struct {
			Job    string      `json:"job"`
			Result string      `json:"result"`
			Made   []outputRow `json:"made"`
		}{run.Job, run.Result, outputRows(made)})
	}
	return cli.Render(inv, outputRows(made))
}
