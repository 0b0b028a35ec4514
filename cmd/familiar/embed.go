package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/recall"
)

// embedQuery is what words mean, nil without an embedder or when it does not say so in time.
func embedQuery(ctx context.Context, inv *cli.Invocation, cfg *config.Config, words string) (*recall.QueryEmbedding, error) {
	e, err := app.NewEmbedder(cfg, inv.Now)
	if e == nil || err != nil {
		return nil, err
	}
	return app.NewQueryEmbedder(cfg, e, inv.Now, cli.NewLog(inv.Errs, cfg, inv.JSON)).EmbedQuery(ctx, words), nil
}

// embedResult is what a drain did.
type embedResult struct {
	Vectors int `json:"vectors"`
	Refused int `json:"refused"`
	GivenUp int `json:"given_up"`
}

func newMemoryEmbed(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "embed", Short: "Give memories the vectors they lack now, also those given up", Args: cobra.NoArgs,
		Long: "Give memories the vectors they lack now, also those given up. The serving process does the same by itself, a few\n" +
			"seconds after something was said; `familiar memory stats` shows what waits and what is wrong.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				e, err := app.NewEmbedder(cfg, inv.Now)
				if err != nil {
					return err
				}
				if e == nil {
					return cfg.Problem("embedder.provider", errors.New("is none: name a provider first"))
				}
				if err := store.Entries.EmbedAgain(cmd.Context()); err != nil {
					return err
				}
				done, err := app.NewEmbedWorker(cfg, store, e, cli.NewLog(inv.Errs, cfg, inv.JSON)).EmbedOnce(cmd.Context())
				if err != nil {
					return err
				}
				inv.Say("%s", done)
				if inv.JSON {
					return cli.WriteJSON(inv.Out, embedResult{done.Vectors, done.Refused, done.GivenUp})
				}
				return nil
			})
		},
	}
}
