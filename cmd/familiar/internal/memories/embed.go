package memories

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

// embedQuery returns the embedding of words. It returns nil without an embedder, or if the embedder does not answer in
// time.
func embedQuery(ctx context.Context, inv *cli.Invocation, cfg *config.Config, words string) (*recall.QueryEmbedding, error) {
	e, err := app.NewEmbedder(cfg, inv.Now)
	if e == nil || err != nil {
		return nil, err
	}
	return app.NewQueryEmbedder(cfg, e, inv.Now, cli.NewLog(inv.Errs, cfg, inv.JSON)).EmbedQuery(ctx, words), nil
}

// embedResult is the result of embedding what was pending.
type embedResult struct {
	Vectors int `json:"vectors"`
	Refused int `json:"refused"`
	GivenUp int `json:"given_up"`
}

func newMemoryEmbed(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "embed", Short: "Compute missing vectors now", Args: cobra.NoArgs,
		Long: "Compute missing vectors now, also of memories that were given up. A running `familiar run` or `chat` does the same a few\n" +
			"seconds after each message. `familiar memory stats` shows how many are pending and the embedder's last error.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			e, err := app.NewEmbedder(cfg, inv.Now)
			if err != nil {
				return err
			}
			if e == nil {
				return cfg.Problem("embedder.provider", errors.New("is none: set a provider first"))
			}
			if err := store.Entries.RetryEmbeddings(cmd.Context()); err != nil {
				return err
			}
			done, err := app.NewEmbedWorker(cfg, store, e, cli.NewLog(inv.Errs, cfg, inv.JSON)).EmbedOnce(cmd.Context())
			if err != nil {
				return err
			}
			return cli.RenderDone(inv, embedResult{done.Vectors, done.Refused, done.GivenUp}, "%s", done)
		}),
	}
}
