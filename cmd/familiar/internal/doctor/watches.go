package doctor

import (
	"context"
	"fmt"
	"os"

	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
)

// checkWatches reports followed directories and files that cannot be read.
func checkWatches(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	if !app.HasMemory(inv.Loaded) {
		return nil, nil
	}
	err := inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		watches, err := store.Log.Watches(ctx)
		if err != nil || len(watches) == 0 {
			return err
		}
		for _, w := range watches {
			if _, err := os.ReadDir(w.Dir); err != nil {
				found = append(found, Finding{
					"watches", stateWarning, fmt.Sprintf("watch %d: %v", w.ID, err), fmt.Sprintf("make the directory readable, or `familiar watch remove %d`", w.ID),
				})
			}
		}
		bad, err := store.Log.Watermarks(ctx, false)
		if err != nil {
			return err
		}
		if len(bad) > 0 {
			found = append(found, Finding{
				"watches", stateWarning, english.Plural(len(bad), "session file", "") + " cannot be read, the first: " + bad[0].Problem, "make them readable: reading goes on where it ended",
			})
		}
		if !app.IsServed(cfg.Home.Lock()) {
			found = append(found, Finding{
				"watches", stateWarning, english.Plural(len(watches), "directory", "directories") + " to be followed, but nothing serves the home", "start `familiar run`, or run `familiar watch once` from time to time",
			})
		}
		return nil
	})
	return found, err
}
