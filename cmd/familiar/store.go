package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
	"familiar/persona"
)

// withStore opens the store for one operator verb, beside whoever is serving: what it changes is noticed there before
// the next recall.
func (a *app) withStore(ctx context.Context, do func(cfg *config.Config, store *memory.Store) error) (err error) {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.Home.Database()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no memory in %s yet; `familiar chat` begins one", memory.ErrNotFound, cfg.Home)
	}
	store, err := memory.Open(ctx, cfg.Home.Database(), memory.Options{Now: a.now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(cfg, store)
}

// id reads the number of a row.
func id(cmd *cobra.Command, word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, usage(cmd, fmt.Errorf("%q is no number; the lists show them", word))
	}
	return n, nil
}

// someone finds a person by number, by handle or by the name they are known under. A name that several people bear is
// an error that lists them.
func someone(ctx context.Context, store *memory.Store, word string) (memory.Person, error) {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return store.Person(ctx, n)
	}
	people, err := store.People(ctx)
	if err != nil {
		return memory.Person{}, err
	}
	var found []memory.Person
	for _, p := range people {
		if named(p, word) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 0:
		return memory.Person{}, fmt.Errorf("%w: nobody is called %q; `familiar person list` shows everybody", memory.ErrNotFound, word)
	case 1:
		return found[0], nil
	}
	return memory.Person{}, fmt.Errorf("%d people are called %q: name one by number, as in `familiar person list`", len(found), word)
}

// speaker is the persona that is configured. That there is none of that name is a problem of the line that names it.
func speaker(cfg *config.Config) (*persona.Card, error) {
	card, err := persona.LoadCard(cfg.Home.Personas(), cfg.Persona)
	if errors.Is(err, persona.ErrNoCard) {
		return nil, cfg.Problem("persona", err)
	}
	return card, err
}
