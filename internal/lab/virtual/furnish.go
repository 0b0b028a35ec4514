package virtual

import (
	"io"
	"log/slog"

	"familiar/config"
	"familiar/internal/app"
	"familiar/persona"
	"familiar/scheduler"
)

// Furnish furnishes the home of a story: connect sets the voice and the models, and the jobs are the configuration's.
func Furnish(cfg *config.Config, home Home, connect func(*app.App) error) (Furniture, error) {
	a := &app.App{Config: cfg, Card: home.Card, Store: home.Store, Now: home.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if err := connect(a); err != nil {
		return Furniture{}, err
	}
	return Furniture{
		Voice: a.Voice, Model: a.Model, Near: a.EmbedQuery,
		Scheduler: func(e *persona.Engine) (*scheduler.Scheduler, error) {
			jobs, err := a.Jobs(e)
			return a.Scheduler(jobs...), err
		},
	}, nil
}
