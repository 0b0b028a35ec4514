package main

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
)

func newJobRun(inv *cli.Invocation) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use: "run NAME", Short: "Run a job now, also one that is off", Args: cobra.ExactArgs(1),
		Long: "Run a job now, also one that is off, as it would be run when it is due: with a row in the ledger, within its limits,\n" +
			"and never on a person another run is at work on. It may be run while the persona is being served.\n\n" +
			"With --dry-run it works on a copy of the memory that is thrown away, and shows what it made there. No model is asked\n" +
			"for that, so that it costs nothing: the words are those of the plain voice, and jobs that only a model can do find\n" +
			"nothing.",
		Example: "  familiar job run consolidate --dry-run",
		RunE: func(cmd *cobra.Command, args []string) error {
			if dry {
				return dryRun(cmd.Context(), inv, args[0])
			}
			return runJob(cmd.Context(), inv, args[0])
		},
	}
	dryRunFlag(cmd, &dry)
	return cmd
}

// runJob runs a job in the home.
func runJob(ctx context.Context, inv *cli.Invocation, name string) (err error) {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	a, err := app.OpenUnlocked(ctx, cfg, cli.NewLog(inv.Errs, cfg, inv.JSON), inv.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	run, err := runNow(ctx, a, name)
	if err != nil {
		return err
	}
	return cli.RenderOne(inv, newRunRow(cfg, run))
}

// runNow runs a job as the scheduler does, and returns its row in the ledger.
func runNow(ctx context.Context, a *app.App, name string) (jobrun.Run, error) {
	t, err := a.FindTask(name)
	if err != nil {
		return jobrun.Run{}, err
	}
	if t.Needs != "" {
		return jobrun.Run{}, fmt.Errorf("job %s needs %s, and none is configured: `familiar config show` says what is", t.Name, t.Needs)
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

// dryRun runs a job without a model on a copy of the memory, and shows what it made there.
func dryRun(ctx context.Context, inv *cli.Invocation, name string) error {
	return inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		a, err := appOn(inv, cfg, store)
		if err != nil {
			return err
		}
		if _, err := a.FindTask(name); err != nil { // before anything is copied
			return err
		}
		return onCopy(ctx, inv, a, func() error { return showDryRun(ctx, inv, a, name) })
	})
}

// onCopy does something while the house stands on a copy of its store.
func onCopy(ctx context.Context, inv *cli.Invocation, a *app.App, do func() error) (err error) {
	dir := a.Config.Home.DryRun()
	lock, err := app.BeginDryRun(dir, inv.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir), lock.Release()) }()
	path := filepath.Join(dir, filepath.Base(a.Config.Home.Database()))
	if err := a.Store.Backup(ctx, path); err != nil {
		return err
	}
	if a.Store, err = app.OpenMemory(ctx, path, a.Config, a.Card, inv.Now); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Store.Close()) }()
	a.Store.Recall.Reply(a.Card.Key, a.Card.Language)
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
	inv.Note("would: %s", run.Result)
	if a.Config.Model.Provider != config.NoModel {
		inv.Note("a dry run asks no model: with it there may be more, in other words")
	}
	if inv.JSON {
		return cli.WriteJSON(inv.Out, struct {
			Job    string    `json:"job"`
			Result string    `json:"result"`
			Made   []madeRow `json:"made"`
		}{run.Job, run.Result, madeRows(made)})
	}
	return cli.Render(inv, madeRows(made))
}
