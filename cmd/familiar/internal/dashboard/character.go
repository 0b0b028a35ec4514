package dashboard

import (
	"context"

	"familiar/internal/app"
	"familiar/persona/card"
	"familiar/persona/companion"
	"familiar/persona/modelvoice"
	"familiar/prompts"
	"familiar/web/character"
)

// characterPages returns the pages on which personas are edited.
func characterPages(a *app.App) *character.Pages {
	home := a.Config.Home
	return &character.Pages{
		Store: a.Store, Dir: home.Personas(), Now: a.Now, Log: a.Log,
		Running: func() bool { return app.IsServed(home.Lock()) },
		Scratch: func() (string, func() error, error) {
			lock, err := app.LockTrials(home, a.Now())
			if err != nil {
				return "", nil, err
			}
			return home.Trials(), lock.Release, nil
		},
		Model: func(c *card.Card) (companion.Model, string, error) {
			m, name, err := a.ViewOf(c).Talker()
			if err != nil || m == nil {
				return nil, "", err
			}
			return talker{m}, name, nil
		},
	}
}

// talker is the persona's model as a talk on the dashboard asks it.
type talker struct{ modelvoice.Model }

// Chat implements companion.Model.
func (t talker) Chat(ctx context.Context, r companion.Request, stream func(string)) (string, error) {
	p := prompts.Prompt{Name: "reply", System: r.System, MaxTokens: r.MaxTokens, JSON: r.JSON}
	for _, m := range r.Messages {
		p.Messages = append(p.Messages, prompts.Message{Role: prompts.Role(m.Role), Text: m.Text})
	}
	answer, err := t.Generate(modelvoice.WithJob(ctx, "try"), p, stream)
	return answer.Text, err
}
