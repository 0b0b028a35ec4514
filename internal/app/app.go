// Package app puts the application together: the store, the persona, its voice, the embedder, the engine and the jobs of one
// home, as its configuration says. The commands stand on it.
package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"familiar/config"
	"familiar/internal/embed"
	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// App is everything that serves one home. Only Open, OpenUnlocked and OnStore need all of it filled; a command that measures may
// fill in its own store and clock and call Connect.
type App struct {
	Config *config.Config
	Card   *card.Card
	Store  *memory.Store
	Voice  scene.Voice
	// Model is nil when none is configured.
	Model modelvoice.Model
	// EmbedWorker gives memories their vectors and EmbedQuery questions theirs; both are nil without an embedder.
	EmbedWorker *embed.Worker
	EmbedQuery  func(ctx context.Context, text string) *recall.QueryEmbedding
	Log         *slog.Logger
	Now         func() time.Time
	// lock is held while this process serves the home, nil when the app was opened without it.
	lock *HomeLock
}

// Open opens everything that serves a home and takes its lock. verb is the command it is opened for: another process
// that finds the home locked names it.
func Open(ctx context.Context, cfg *config.Config, verb string, log *slog.Logger, now func() time.Time) (*App, error) {
	a, err := newApp(cfg, log, now)
	if err != nil {
		return nil, err
	}
	if a.lock, err = LockHome(cfg.Home.Lock(), verb, now()); err != nil {
		return nil, err
	}
	if err := errors.Join(clearDryRun(cfg.Home, now()), a.open(ctx)); err != nil {
		return nil, err
	}
	return a, nil
}

// OpenUnlocked opens everything, for a verb that works while another process may be serving the home.
func OpenUnlocked(ctx context.Context, cfg *config.Config, log *slog.Logger, now func() time.Time) (*App, error) {
	a, err := newApp(cfg, log, now)
	if err != nil {
		return nil, err
	}
	return a, a.open(ctx)
}

// newApp is an app of which nothing is open: its configuration and its persona.
func newApp(cfg *config.Config, log *slog.Logger, now func() time.Time) (*App, error) {
	if err := cfg.Home.Create(); err != nil {
		return nil, err
	}
	card, err := LoadCard(cfg)
	return &App{Config: cfg, Card: card, Log: log, Now: now}, err
}

// OnStore is an app on an open store that answers with the plain voice and logs nothing, to look at its jobs.
func OnStore(cfg *config.Config, card *card.Card, store *memory.Store, now func() time.Time) *App {
	return &App{Config: cfg, Card: card, Store: store, Voice: plain.New(), Log: slog.New(slog.DiscardHandler), Now: now}
}

// open opens the store and finds the voice and the embedder. When it fails, everything is closed.
func (a *App) open(ctx context.Context) (err error) {
	if a.Store, err = OpenMemory(ctx, a.Config.Home.Database(), a.Config, a.Card, a.Now); err != nil {
		return errors.Join(err, a.Close())
	}
	a.Store.Recall.Reply(a.Card.Key, a.Card.Language)
	if err := a.Connect(); err != nil {
		return errors.Join(err, a.Close())
	}
	return nil
}

// Connect makes the voice and the embedder that are configured.
func (a *App) Connect() error { return errors.Join(a.findVoice(), a.findVectors()) }

// Close closes the store and releases the lock.
func (a *App) Close() (err error) {
	if a.Store != nil {
		err = a.Store.Close()
	}
	if a.lock != nil {
		err = errors.Join(err, a.lock.Release())
	}
	return err
}
