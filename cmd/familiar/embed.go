package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
	"familiar/memory/recall"
)

// near is what words mean, nil without an embedder or when it does not say so in time.
func (a *app) near(ctx context.Context, cfg *config.Config, words string) (*recall.QueryEmbedding, error) {
	e, err := newEmbedder(cfg, a.now)
	if e == nil || err != nil {
		return nil, err
	}
	return newAsker(cfg, e, a.now, newLog(a.errs, cfg, a.json)).EmbedQuery(ctx, words), nil
}

// embeddedRow is what a drain did.
type embeddedRow struct {
	Vectors int `json:"vectors"`
	Refused int `json:"refused"`
	GivenUp int `json:"given_up"`
}

func newMemoryEmbed(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "embed", Short: "Give memories the vectors they lack now, also those given up", Args: cobra.NoArgs,
		Long: "Give memories the vectors they lack now, also those given up. The serving process does the same by itself, a few\n" +
			"seconds after something was said; `familiar memory stats` shows what waits and what is wrong.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				e, err := newEmbedder(cfg, a.now)
				if err != nil {
					return err
				}
				if e == nil {
					return cfg.Problem("embedder.provider", errors.New("is none: name a provider first"))
				}
				if err := store.Entries.EmbedAgain(cmd.Context()); err != nil {
					return err
				}
				done, err := newDrain(cfg, store, e, newLog(a.errs, cfg, a.json)).EmbedOnce(cmd.Context())
				if err != nil {
					return err
				}
				a.say("%s", done)
				if a.json {
					return writeJSON(a.out, embeddedRow{done.Vectors, done.Refused, done.GivenUp})
				}
				return nil
			})
		},
	}
}
