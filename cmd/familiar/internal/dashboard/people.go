package dashboard

import (
	"context"
	"fmt"

	"familiar/cmd/familiar/internal/people"
	"familiar/internal/app"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/web/me"
	pages "familiar/web/people"
)

// peopleActions are what the pages about people do, with the functions of `familiar person`.
func peopleActions(a *app.App) pages.Actions {
	return pages.Actions{
		Mind: func(key string) (pages.Mind, error) { return imagined(a, key) },
		Erase: func(ctx context.Context, p model.Person) (pages.Erased, error) {
			done, err := people.Erase(ctx, a.Config, a.Store, a.Now, p)
			shown := pages.Erased{Done: done.Done, Gone: done.Gone}
			for _, n := range done.Named {
				shown.Named = append(shown.Named, pages.Named{Where: n.Where, Remove: n.Remove})
			}
			for _, d := range done.Damaged {
				shown.Damaged = append(shown.Damaged, d.Dir)
			}
			return shown, err
		},
		Join: func(ctx context.Context, key string, both [2]model.Person) error {
			_, err := people.Join(ctx, a.Store, key, both)
			return err
		},
		Part: func(ctx context.Context, key string, p model.Person, channel string) error {
			_, _, err := people.Part(ctx, a.Store, key, p, channel)
			return err
		},
	}
}

// ownActions are what the pages of people about themselves do.
func ownActions(a *app.App) me.Actions {
	return me.Actions{
		Mind: func(key string) (me.Mind, error) { return imagined(a, key) },
		Erase: func(ctx context.Context, p model.Person) (erase.ForgetResult, bool, error) {
			done, err := people.Erase(ctx, a.Config, a.Store, a.Now, p)
			return done.Gone, done.Done, err
		},
	}
}

// imagined returns what tells what a persona would do. It serves no network.
func imagined(a *app.App, key string) (persona.Imagined, error) {
	own := a
	if key != a.Card.Key {
		c, err := card.LoadCard(a.Config.Home.Personas(), key)
		if err != nil {
			return persona.Imagined{}, fmt.Errorf("open the persona %s: %w", key, err)
		}
		if own, err = a.As(c); err != nil {
			return persona.Imagined{}, err
		}
	}
	return own.Engine(own.Settings()).Imagined(), nil
}
