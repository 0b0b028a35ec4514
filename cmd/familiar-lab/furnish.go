package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/virtual"
	"familiar/persona"
	"familiar/scheduler"
)

// storyConfig returns the configuration in which stories are played: the defaults with the configured models and embedder.
func storyConfig(inv *cli.Invocation) (*config.Config, error) {
	configured, err := inv.Config()
	if err != nil {
		return nil, err
	}
	cfg := config.Default()
	cfg.Home, cfg.Model, cfg.Embedder, cfg.Limits = configured.Home, configured.Model, configured.Embedder, configured.Limits
	cfg.Timezone = config.Zone{Location: time.UTC}
	return cfg, nil
}

// furnish furnishes the home of a story: connect sets the voice and the models, and the jobs are the configuration's.
func furnish(cfg *config.Config, home virtual.Home, connect func(*app.App) error) (virtual.Furniture, error) {
	a := &app.App{Config: cfg, Card: home.Card, Store: home.Store, Now: home.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if err := connect(a); err != nil {
		return virtual.Furniture{}, err
	}
	return virtual.Furniture{
		Voice: a.Voice, Model: a.Model, Near: a.EmbedQuery,
		Scheduler: func(e *persona.Engine) (*scheduler.Scheduler, error) {
			jobs, err := a.Jobs(e)
			return a.Scheduler(jobs...), err
		},
	}, nil
}

// writeFile lets write fill a file.
func writeFile(file string, write func(io.Writer) error) (err error) {
	f, err := os.Create(file) //nolint:gosec // the operator names the file to be written
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
