package jobs

import (
	"context"
	"fmt"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/persona/card"
)

// NewApp returns an app on an open store, to look at the jobs of the persona with that key, "" for the configured one.
func NewApp(inv *cli.Invocation, cfg *config.Config, store *memory.Store, key string) (*app.App, error) {
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

// ServedJobs returns the jobs of each persona that is served.
func ServedJobs(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store) ([]Row, error) {
	return cli.OfServed(ctx, cfg, func(ctx context.Context, key string) ([]Row, error) {
		a, err := NewApp(inv, cfg, store, key)
		if err != nil {
			return nil, fmt.Errorf("jobs of %s: %w", key, err)
		}
		return Rows(ctx, a)
	})
}

// ServedRuns returns the last run of each job of each persona that is served.
func ServedRuns(ctx context.Context, cfg *config.Config, store *memory.Store) ([]jobrun.Run, error) {
	return cli.OfServed(ctx, cfg, store.Jobs.LastRuns)
}
