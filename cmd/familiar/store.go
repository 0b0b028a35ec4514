package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona"
)

// withStore opens the store for one operator verb, beside whoever is serving: what it changes is noticed there before
// the next recall.
func (a *app) withStore(ctx context.Context, do func(cfg *config.Config, store *memory.Store) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.Home.Database()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no memory in %s yet; `familiar chat` begins one", memory.ErrNotFound, cfg.Home)
	}
	return a.openStore(ctx, cfg, do)
}

// beginStore is withStore for a verb that may come first: where there is no memory yet, it begins one.
func (a *app) beginStore(ctx context.Context, do func(cfg *config.Config, store *memory.Store) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := cfg.Home.Create(); err != nil {
		return err
	}
	return a.openStore(ctx, cfg, do)
}

func (a *app) openStore(ctx context.Context, cfg *config.Config, do func(cfg *config.Config, store *memory.Store) error) (err error) {
	card, err := persona.LoadCard(cfg.Home.Personas(), cfg.Persona)
	if err != nil { // the verb needs no persona that can speak
		if problem, _, _ := strings.Cut(err.Error(), "\n"); !a.faceless {
			a.note("memories fade at the usual rates: %s", problem)
		}
		a.faceless = true
		card = &persona.Card{}
	}
	store, err := a.openMemory(ctx, cfg.Home.Database(), cfg, card)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(cfg, store)
}

// openMemory opens the store at path as the persona remembers. Only the home's own may let files go: a copy of it shares
// them.
func (a *app) openMemory(ctx context.Context, path string, cfg *config.Config, card *persona.Card) (*memory.Store, error) {
	files := ""
	if path == cfg.Home.Database() {
		files = cfg.Home.Attachments("")
	}
	return memory.Open(ctx, path, memory.Options{
		Now: a.now, Files: files, ForgetBelow: cfg.Memory.ForgetBelow, Rates: map[string]model.Rates{cfg.Persona: card.Rates},
	})
}

// id reads the number of a row.
func id(cmd *cobra.Command, word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, usage(cmd, fmt.Errorf("%q is no number; %s", word, listOf(cmd)))
	}
	return n, nil
}

// listed is err, where it says that there is nothing of a number with where the numbers are.
func listed(cmd *cobra.Command, err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; %s", err, listOf(cmd))
	}
	return err
}

// listOf points to the list beside a verb.
func listOf(cmd *cobra.Command) string {
	return "`" + cmd.Parent().CommandPath() + " list` shows what there is"
}

// speaker is the persona that is configured. That there is none of that name is a problem of the line that names it.
func speaker(cfg *config.Config) (*persona.Card, error) {
	card, err := persona.LoadCard(cfg.Home.Personas(), cfg.Persona)
	if errors.Is(err, persona.ErrNoCard) {
		return nil, cfg.Problem("persona", err)
	}
	return card, err
}
