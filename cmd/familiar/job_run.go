package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
	"familiar/memory/jobrun"
)

func newJobRun(a *app) *cobra.Command {
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
				return a.rehearse(cmd.Context(), args[0])
			}
			return a.runJob(cmd.Context(), args[0])
		},
	}
	dryRunFlag(cmd, &dry)
	return cmd
}

// runJob runs a job in the home.
func (a *app) runJob(ctx context.Context, name string) (err error) {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	h, err := a.openBeside(ctx, newLog(a.errs, cfg, a.json))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	run, err := h.runNow(ctx, name)
	if err != nil {
		return err
	}
	return renderOne(a, newRunRow(cfg, run))
}

// runNow runs a job as the scheduler does, and returns its row in the ledger.
func (h *house) runNow(ctx context.Context, name string) (jobrun.JobRun, error) {
	t, err := h.task(name)
	if err != nil {
		return jobrun.JobRun{}, err
	}
	if t.needs != "" {
		return jobrun.JobRun{}, fmt.Errorf("job %s needs %s, and none is configured: `familiar config show` says what is", t.name, t.needs)
	}
	job, err := h.job(t)
	if err != nil {
		return jobrun.JobRun{}, err
	}
	out, err := h.scheduler().RunOnce(ctx, job, h.now())
	if err != nil {
		return jobrun.JobRun{}, fmt.Errorf("run %d of %s: %w", out.Run, t.name, err)
	}
	return h.store.Jobs.Run(ctx, out.Run)
}

// rehearse runs a job without a model on a copy of the memory, and shows what it made there.
func (a *app) rehearse(ctx context.Context, name string) error {
	return a.withStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		h, err := a.emptyHouse(cfg, store)
		if err != nil {
			return err
		}
		if _, err := h.task(name); err != nil { // before anything is copied
			return err
		}
		return a.onCopy(ctx, h, func() error { return a.showRehearsal(ctx, h, name) })
	})
}

// onCopy does something while the house stands on a copy of its store.
func (a *app) onCopy(ctx context.Context, h *house, do func() error) (err error) {
	dir := h.cfg.Home.DryRun()
	lock, err := beginRehearsal(dir, a.now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir), lock.release()) }()
	path := filepath.Join(dir, filepath.Base(h.cfg.Home.Database()))
	if err := h.store.Backup(ctx, path); err != nil {
		return err
	}
	if h.store, err = a.openMemory(ctx, path, h.cfg, h.card); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.store.Close()) }()
	h.store.Recall.Speak(h.card.Key, h.card.Language)
	return do()
}

func (a *app) showRehearsal(ctx context.Context, h *house, name string) error {
	run, err := h.runNow(ctx, name)
	if err != nil {
		return err
	}
	made, err := h.store.Eraser.RunOutput(ctx, h.card.Key, run.ID)
	if err != nil {
		return err
	}
	a.note("would: %s", run.Result)
	if h.cfg.Model.Provider != config.NoModel {
		a.note("a dry run asks no model: with it there may be more, in other words")
	}
	if a.json {
		return writeJSON(a.out, struct {
			Job    string    `json:"job"`
			Result string    `json:"result"`
			Made   []madeRow `json:"made"`
		}{run.Job, run.Result, madeRows(made)})
	}
	return render(a, madeRows(made))
}

// beginRehearsal makes the directory for a copy and clears it of what a process left there that was killed.
func beginRehearsal(dir string, now time.Time) (*homeLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a place for a copy of the memory: %w", err)
	}
	path := filepath.Join(dir, "lock")
	lock, err := lockHome(path, "job run --dry-run", now)
	if err != nil {
		return nil, fmt.Errorf("try a job out: %w", err)
	}
	left, err := os.ReadDir(dir)
	for _, file := range left {
		if at := filepath.Join(dir, file.Name()); at != path {
			err = errors.Join(err, os.Remove(at))
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("clear what another dry run left: %w", err), lock.release())
	}
	return lock, nil
}

// clearRehearsal removes the copy that a dry run left behind when it was killed: what is forgotten must not live on there.
func clearRehearsal(home config.Home, now time.Time) error {
	if _, err := os.Stat(home.DryRun()); err != nil {
		return nil //nolint:nilerr // there is none
	}
	lock, err := beginRehearsal(home.DryRun(), now)
	if errors.Is(err, errInUse) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(home.DryRun()), lock.release())
}
