// Package app assembles the application for one home according to its configuration: the store, the persona, its voice,
// the embedder, the engine and the jobs. The commands use it.
package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"familiar/config"
	"familiar/internal/embed"
	"familiar/internal/llm"
	"familiar/internal/metrics"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/recall"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/persona/tool"
)

// App is everything that serves one home. Only Open, OpenUnlocked and ForStore need all of it; a command that measures
// may set its own store and clock and call Connect.
type App struct {
	Config *config.Config
	Card   *card.Card
	Store  *memory.Store
	Voice  scene.Voice
	// Model is nil if none is configured.
	Model modelvoice.Model
	// Tools is what the model may call while it answers, nil without a model.
	Tools *tool.Registry
	// accounts is what the clients of all models share.
	accounts *llm.Accounts
	// cast are the personas as they are served, nil if they are not.
	cast *persona.Cast
	// guest reports that the app belongs to another persona than the configured one, whose jobs do what the whole home needs.
	guest   bool
	windows windows
	// EmbedWorker computes the vectors of memories, EmbedQuery those of queries. Both are nil without an embedder.
	EmbedWorker *embed.Worker
	EmbedQuery  func(ctx context.Context, text string) *recall.QueryEmbedding
	// Transcriber listens to recordings. It is nil if nothing does.
	Transcriber persona.Transcriber
	// Speaker says replies aloud. It is nil if nothing does.
	Speaker persona.Speaker
	Log     *slog.Logger
	Now     func() time.Time
	// Metrics count what a serving process does, nil if nobody can ask for them.
	Metrics *metrics.Metrics
	// Fleet is this process among those that answer from the same memory. It is nil if the memory is in a file, and for verbs that do
	// not serve.
	Fleet *fleet.Member
	// lock is held while this process serves the home, nil if the app was opened without it.
	lock *HomeLock
}

// Open opens everything that serves a home and takes its lock. verb is the command that opens it: another process that
// finds the home locked shows it.
func Open(ctx context.Context, cfg *config.Config, verb string, log *slog.Logger, now func() time.Time) (*App, error) {
	a, err := newApp(cfg, log, now)
	if err != nil {
		return nil, err
	}
	if a.lock, err = LockHome(cfg.Home.Lock(), verb, now()); err != nil {
		return nil, err
	}
	if err := errors.Join(clearScratch(cfg.Home, now()), a.open(ctx)); err != nil {
		return nil, err
	}
	if err := a.joinFleet(ctx, verb); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// OpenUnlocked opens everything without the lock, for a verb that works while another process may be serving the home.
func OpenUnlocked(ctx context.Context, cfg *config.Config, log *slog.Logger, now func() time.Time) (*App, error) {
	a, err := newApp(cfg, log, now)
	if err != nil {
		return nil, err
	}
	return a, a.open(ctx)
}

// newApp returns an app with its configuration and persona, but without a store.
func newApp(cfg *config.Config, log *slog.Logger, now func() time.Time) (*App, error) {
	if err := cfg.Home.Create(); err != nil {
		return nil, err
	}
	card, err := LoadCard(cfg)
	return &App{Config: cfg, Card: card, accounts: &llm.Accounts{}, Log: log, Now: now}, err
}

// ForStore returns an app on an open store that uses the plain voice and logs nothing, to look at its jobs.
func ForStore(cfg *config.Config, card *card.Card, store *memory.Store, now func() time.Time) *App {
	return &App{Config: cfg, Card: card, Store: store, Voice: plain.New(), Log: slog.New(slog.DiscardHandler), Now: now}
}

// open opens the store and connects the voice and the embedder. If it fails, everything is closed.
func (a *App) open(ctx context.Context) (err error) {
	if a.Store, err = OpenMemory(ctx, a.Config, a.Card, a.Now); err != nil {
		return errors.Join(err, a.Close())
	}
	if err := a.finishRestores(ctx); err != nil {
		return errors.Join(err, a.Close())
	}
	a.Store.Recall.SetLanguage(a.Card.Key, a.Card.Language)
	if err := a.Connect(); err != nil {
		return errors.Join(err, a.Close())
	}
	return nil
}

// Connect creates the configured voice, the embedder, and what the persona hears with.
func (a *App) Connect() error {
	if a.accounts == nil {
		a.accounts = &llm.Accounts{}
	}
	return errors.Join(a.connectVoice(), a.connectEmbedder(), a.connectSpeech())
}

// Close closes the store and releases the lock.
func (a *App) Close() (err error) {
	if a.Store != nil {
		a.leaveFleet()
		err = a.Store.Close()
	}
	if a.lock != nil {
		err = errors.Join(err, a.lock.Release())
	}
	return err
}
