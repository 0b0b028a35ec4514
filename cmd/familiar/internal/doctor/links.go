package doctor

import (
	"context"
	"strconv"
	"time"

	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/link"
)

// checkLinks reports wrong link codes: somebody may be guessing.
func checkLinks(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	if !app.HasMemory(inv.Loaded) {
		return nil, nil
	}
	err := inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		g, err := store.Links.Guesses(ctx)
		switch {
		case err != nil:
			return err
		case !g.LockedUntil.IsZero():
			found = append(found, Finding{
				"links", stateWarning, "linking is locked until " + cli.InZone(g.LockedUntil, cfg).Format(time.DateTime) + ": " + strconv.Itoa(g.Wrong) + " wrong codes in an hour",
				"somebody is guessing codes; `familiar channel` shows who may write to the persona",
			})
		case g.Wrong > link.GuessesPerAccount:
			found = append(found, Finding{
				"links", stateWarning, english.Plural(g.Wrong, "wrong link code", "") + " in the last hour, by " + english.Plural(g.Accounts, "account", ""),
				"nothing to do: an account is ignored for an hour after " + strconv.Itoa(link.GuessesPerAccount),
			})
		}
		return nil
	})
	return found, err
}
