package dashboard

import (
	"context"

	memoryverbs "familiar/cmd/familiar/internal/memories"
	"familiar/internal/app"
	"familiar/memory/erase"
	"familiar/memory/recall"
	"familiar/persona/card"
	"familiar/web/memories"
)

// memoryPages returns the pages on what is remembered, which search and forget as `familiar memory` does.
func memoryPages(a *app.App) memories.Pages {
	return memories.Pages{
		Prepare: func(ctx context.Context, persona string, q recall.Query) recall.Query {
			if a.EmbedQuery != nil {
				q.Near = a.EmbedQuery(ctx, q.Text)
			}
			q.WithoutFacts = withoutFacts(a, persona)
			return q
		},
		Forget: func(ctx context.Context, id int64) (erase.ForgetResult, error) {
			return memoryverbs.Forget(ctx, a.Config, a.Store, id)
		},
	}
}

// withoutFacts reports whether a persona answers without facts about the world. One whose card is broken does not.
func withoutFacts(a *app.App, persona string) bool {
	if persona == a.Card.Key {
		return a.Card.WithoutFacts
	}
	c, err := card.LoadCard(a.Config.Home.Personas(), persona)
	return err == nil && c.WithoutFacts
}
