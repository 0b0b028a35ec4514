package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/persona/card"
)

// personaFlag adds the flag that names another persona than the configured one.
func personaFlag(cmd *cobra.Command, inv *cli.Invocation, key *string, usage string) {
	cmd.Flags().StringVar(key, "persona", "", usage)
	cli.Complete(cmd, "persona", completeKeys(inv))
}

// ofServed reads something of each persona that is served, the configured one first.
func ofServed[T any](ctx context.Context, cfg *config.Config, read func(ctx context.Context, key string) ([]T, error)) (all []T, _ error) {
	for _, key := range cfg.Served() {
		some, err := read(ctx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// ofOther words whose something is, "" for the configured persona: " of mira".
func ofOther(cfg *config.Config, key string) string {
	if key == cfg.Persona {
		return ""
	}
	return " of " + key
}

// forOther words the flag of a command that means the same persona, "" for the configured one.
func forOther(cfg *config.Config, key string) string {
	if key == cfg.Persona {
		return ""
	}
	return " --persona " + key
}

// newJobApp returns an app on an open store, to look at the jobs of the persona with that key, "" for the configured one.
func newJobApp(inv *cli.Invocation, cfg *config.Config, store *memory.Store, key string) (*app.App, error) {
	first, err := app.LoadCard(cfg)
	if err != nil {
		return nil, err
	}
	a := app.ForStore(cfg, first, store, inv.Now)
	if key == "" || key == cfg.Persona {
		return a, nil
	}
	c, err := card.LoadCard(cfg.Home.Personas(), key)
	if err != nil {
		return nil, err
	}
	return a.ViewOf(c), nil
}

// servedJobs returns the jobs of each persona that is served.
func servedJobs(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store) ([]jobRow, error) {
	return ofServed(ctx, cfg, func(ctx context.Context, key string) ([]jobRow, error) {
		a, err := newJobApp(inv, cfg, store, key)
		if err != nil {
			return nil, fmt.Errorf("jobs of %s: %w", key, err)
		}
		return jobRows(ctx, a)
	})
}

// servedRuns returns the last run of each job of each persona that is served.
func servedRuns(ctx context.Context, cfg *config.Config, store *memory.Store) ([]jobrun.Run, error) {
	return ofServed(ctx, cfg, store.Jobs.LastRuns)
}
