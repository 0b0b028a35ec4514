package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/memory"
	"familiar/persona/card"
)

// OpenApp opens everything that serves the home and takes its lock for verb.
func (inv *Invocation) OpenApp(ctx context.Context, verb string, log *slog.Logger) (*app.App, error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, err
	}
	if cfg.Database.OnServer() {
		inv.ExpectServer()
	}
	return app.Open(ctx, cfg, verb, log, inv.Now)
}

// WithStore opens the store for one verb. Another process may be serving the home: it notices the changes before its
// next recall. Without a database it returns memory.ErrNotFound.
func (inv *Invocation) WithStore(ctx context.Context, do func(cfg *config.Config, store *memory.Store) error) error {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	if !app.HasMemory(cfg) {
		return fmt.Errorf("%w: there is no database in %s yet; `familiar chat` creates one", memory.ErrNotFound, cfg.Home)
	}
	return inv.openStore(ctx, cfg, do)
}

// EnsureStore is WithStore for a verb that may run first: it creates a missing database.
func (inv *Invocation) EnsureStore(ctx context.Context, do func(cfg *config.Config, store *memory.Store) error) error {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	if err := cfg.Home.Create(); err != nil {
		return err
	}
	return inv.openStore(ctx, cfg, do)
}

// StoreVerb is what a verb does with the open store.
type StoreVerb func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error

// OnStore is the RunE of a verb that works on the store; see WithStore.
func (inv *Invocation) OnStore(do StoreVerb) func(cmd *cobra.Command, args []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error { return do(cmd, args, cfg, store) })
	}
}

// OnNewStore is OnStore for a verb that may run first; see EnsureStore.
func (inv *Invocation) OnNewStore(do StoreVerb) func(cmd *cobra.Command, args []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error { return do(cmd, args, cfg, store) })
	}
}

func (inv *Invocation) openStore(ctx context.Context, cfg *config.Config, do func(cfg *config.Config, store *memory.Store) error) (err error) {
	if inv.store != nil {
		return do(cfg, inv.store)
	}
	c, err := card.LoadCard(cfg.Home.Personas(), cfg.Persona)
	if err != nil { // the verb works without a valid persona
		if problem, _, _ := strings.Cut(err.Error(), "\n"); !inv.warned {
			inv.Note("memories decay at the default rates: %s", problem)
		}
		inv.warned = true
		c = &card.Card{}
	}
	clock := inv.Now
	if !inv.asOf.IsZero() {
		clock = inv.clock
	}
	store, err := app.OpenMemory(ctx, cfg, c, clock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if !inv.asOf.IsZero() {
		return inv.lookBack(ctx, store, func(then *memory.Store) error { return do(cfg, then) })
	}
	return do(cfg, store)
}
