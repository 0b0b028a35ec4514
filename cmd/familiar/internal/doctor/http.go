package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
)

// checkHTTP reports an address for other programs without a token that could be used there, and tokens without an address.
func checkHTTP(ctx context.Context, inv *cli.Invocation) (found []finding, _ error) {
	if _, err := os.Stat(inv.Loaded.Home.Database()); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err := inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		all, err := store.Access.List(ctx)
		valid, expired := 0, 0
		for _, g := range all {
			if g.Expires.IsZero() || g.Expires.After(inv.Now()) {
				valid++
			} else {
				expired++
			}
		}
		if cfg.HTTP.Listen != "" && valid == 0 {
			found = append(found, finding{
				"http", stateWarning, "http.listen is set, but no program has a valid token",
				"create one with `familiar token create --client NAME`, or remove http.listen",
			})
		}
		if expired > 0 {
			found = append(found, finding{
				"http", stateWarning, english.Plural(expired, "token has", "tokens have") + " expired",
				"create new ones with `familiar token create`, and remove the old with `familiar token revoke`",
			})
		}
		return err
	})
	return found, err
}
