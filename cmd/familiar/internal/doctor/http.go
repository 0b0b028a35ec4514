package doctor

import (
	"context"

	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
)

// checkHTTP reports tokens of programs that have expired.
func checkHTTP(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	if !app.HasMemory(inv.Loaded) {
		return nil, nil
	}
	err := inv.WithStore(ctx, func(_ *config.Config, store *memory.Store) error {
		all, err := store.Access.List(ctx)
		expired := 0
		for _, g := range all {
			if !g.Expires.IsZero() && !g.Expires.After(inv.Now()) {
				expired++
			}
		}
		if expired > 0 {
			found = append(found, Finding{
				"http", stateWarning, english.Plural(expired, "token has", "tokens have") + " expired",
				"create new ones with `familiar token create`, and remove the old with `familiar token revoke`",
			})
		}
		return err
	})
	return found, err
}
