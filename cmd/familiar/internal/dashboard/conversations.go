package dashboard

import (
	"context"

	"familiar/internal/app"
	"familiar/memory/model"
	"familiar/persona/card"
	"familiar/prompts"
	"familiar/web/conversations"
)

// conversationPages returns the pages on conversations, with the prompts that the voices of the home make.
func conversationPages(a *app.App) conversations.Pages {
	return conversations.Pages{Prompt: func(ctx context.Context, key string, person model.Person, room model.Room, text string) (prompts.Prompt, error) {
		own := a
		if key != a.Card.Key {
			c, err := card.LoadCard(a.Config.Home.Personas(), key)
			if err != nil {
				return prompts.Prompt{}, err
			}
			if own, err = a.As(c); err != nil {
				return prompts.Prompt{}, err
			}
		}
		return own.Engine(own.Settings()).PromptFor(ctx, person, room, text)
	}}
}
