package dashboard

import (
	"context"
	"fmt"

	"familiar/cmd/familiar/internal/jobs"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/persona/card"
	"familiar/web/mind"
)

// mindPages returns the pages on minds, with the cards of the home and its schedules.
func mindPages(inv *cli.Invocation, a *app.App) mind.Pages {
	return mind.Pages{
		Card: func(key string) (*card.Card, error) { return card.LoadCard(a.Config.Home.Personas(), key) },
		Jobs: func(ctx context.Context, key string) ([]mind.Job, error) {
			own, err := jobs.NewApp(inv, a.Config, a.Store, key)
			if err != nil {
				return nil, fmt.Errorf("jobs of %s: %w", key, err)
			}
			rows, err := jobs.Rows(ctx, own)
			if err != nil {
				return nil, err
			}
			all := make([]mind.Job, 0, len(rows))
			for _, j := range rows {
				all = append(all, mind.Job{Name: j.Job, Next: j.Next, Needs: j.Needs})
			}
			return all, nil
		},
	}
}
