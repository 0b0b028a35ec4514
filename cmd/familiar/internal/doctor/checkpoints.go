package doctor

import (
	"context"

	"familiar/cmd/familiar/internal/checkpoints"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
)

// checkRestores reports restores of checkpoints whose files are still to be written: the persona's memory and its file do not
// belong together.
func checkRestores(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	err := onStore(ctx, inv, func(cfg *config.Config, store *memory.Store) error {
		due, err := store.Checkpoints.Unfinished(ctx)
		for _, c := range due {
			says, next := checkpoints.Unfinished(cfg, c)
			found = append(found, Finding{"checkpoints", stateProblem, says, next})
		}
		return err
	})
	return found, err
}
