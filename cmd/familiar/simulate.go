package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/simulate"
	"familiar/memory"
	"familiar/persona"
	"familiar/scheduler"
)

func newSimulate(a *app) *cobra.Command {
	days, people := count(365), count(20)
	var seed uint64
	cmd := &cobra.Command{
		Use: "simulate", Short: "Live through a year in a minute and see what is remembered", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := a.simulate(cmd.Context(), simulate.Settings{Days: int(days), People: int(people), Seed: seed})
			if err != nil {
				return err
			}
			return writeJSON(a.out, r)
		},
	}
	cmd.Flags().Var(&days, "days", "how many days")
	cmd.Flags().Var(&people, "people", "how many people")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "what the people and their lives are made up from")
	return cmd
}

// simulate lives through s in a store of its own, which is thrown away.
func (a *app) simulate(ctx context.Context, s simulate.Settings) (r simulate.Report, err error) {
	cfg := config.Default()
	cfg.Timezone.Location, cfg.Debounce.Quiet = time.UTC, 0
	s.Budget, s.Longest = cfg.Model.ContextTokens-cfg.Model.MaxTokens, cfg.Model.MaxTokens
	world, err := simulate.New(s)
	if err != nil {
		return r, err
	}
	h := &house{cfg: cfg, log: slog.New(slog.NewTextHandler(io.Discard, nil)), now: world.Now}
	if h.card, err = benchCard(); err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp("", "familiar-simulate-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the simulation: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what a simulation leaves behind is in the system's own place for it
	h.store, err = memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{
		Now: h.now, ForgetBelow: cfg.Memory.ForgetBelow, Rates: map[string]memory.Rates{h.card.Key: h.card.Rates}, Throwaway: true,
	})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, h.store.Close()) }()
	h.store.Speak(h.card.Key, h.card.Language)
	voice := world.Voice(persona.NewPlain(), h.store, h.card.Key)
	h.voice = voice
	engine := h.engine(h.settings(), world.Channel())
	jobs, err := h.simulated(engine)
	if err != nil {
		return r, err
	}
	return world.Live(ctx, simulate.Parts{Persona: h.card.Key, Store: h.store, Engine: engine, Voice: voice, Jobs: jobs})
}

// simulated are the house's jobs as a simulation runs them.
func (h *house) simulated(e *persona.Engine) (jobs []simulate.Job, err error) {
	all, err := h.jobs(e)
	if err != nil {
		return nil, err
	}
	for _, j := range all {
		jobs = append(jobs, simulate.Job{Name: j.Name, Next: j.Schedule.Next, Run: func(ctx context.Context, due time.Time) error {
			return runOnce(ctx, ledger{h.store}, j, due)
		}})
	}
	return jobs, nil
}

// runOnce runs a job and keeps the ledger.
func runOnce(ctx context.Context, l scheduler.Ledger, j scheduler.Job, due time.Time) error {
	run, err := l.Begin(ctx, j.Name, due)
	if err != nil {
		return err
	}
	result, cause := j.Run(ctx, run, due)
	return errors.Join(cause, l.Finish(ctx, run, result, cause))
}
