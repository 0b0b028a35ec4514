package app

import (
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/config"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/route"
	"familiar/scheduler"
)

// Personas are the personas that one process serves, with what each of them has of its own.
type Personas struct {
	*persona.Cast
	// Apps has the home as each persona sees it, that of the configured persona first.
	Apps []*App
}

// Personas returns the personas that the configuration serves, on channels that they share. adjust, if not nil, changes
// the settings of each.
func (a *App) Personas(adjust func(*persona.Settings), chans ...channels.Channel) (*Personas, error) {
	cards, err := ServedCards(a.Config)
	if err != nil {
		return nil, err
	}
	cards[0] = a.Card
	all := &Personas{}
	var parts []persona.Parts
	for i, c := range cards {
		own := a
		if i > 0 {
			if own, err = a.As(c); err != nil {
				return nil, err
			}
		}
		settings := own.Settings()
		if adjust != nil {
			adjust(&settings)
		}
		all.Apps, parts = append(all.Apps, own), append(parts, own.parts(settings, chans))
	}
	all.Cast = persona.NewCast(Router(a.Config, cards), parts...)
	a.cast = all.Cast
	return all, nil
}

// As returns the app of another persona on the same store, with its own voice and models.
func (a *App) As(c *card.Card) (*App, error) {
	own := a.ViewOf(c)
	own.Store.Recall.SetLanguage(c.Key, c.Language)
	if err := own.connectVoice(); err != nil {
		return nil, fmt.Errorf("connect the voice of %s: %w", c.Key, err)
	}
	return own, nil
}

// ViewOf returns the app of another persona on the same store, with the voice and the models of a: to look at its jobs.
func (a *App) ViewOf(c *card.Card) *App {
	cfg, own := *a.Config, *a
	cfg.Persona = c.Key
	own.Config, own.Card, own.guest, own.lock = &cfg, c, true, nil
	return &own
}

// Jobs returns the schedulers of all personas. What is done for the whole home is a job of the first.
func (p *Personas) Jobs() (all []*scheduler.Scheduler, err error) {
	for _, a := range p.Apps {
		jobs, err := a.Jobs(p.Engine(a.Card.Key))
		if err != nil {
			return nil, fmt.Errorf("jobs of %s: %w", a.Card.Key, err)
		}
		all = append(all, a.Scheduler(jobs...))
	}
	return all, nil
}

// ServedCards loads the personas that the configuration serves, the configured one first. A persona that is missing is
// reported with the line that names it, all problems at once.
func ServedCards(cfg *config.Config) ([]*card.Card, error) {
	first, err := LoadCard(cfg)
	cards, problems := []*card.Card{first}, []error{err}
	for _, key := range cfg.Served()[1:] {
		c, err := card.LoadCard(cfg.Home.Personas(), key)
		if errors.Is(err, card.ErrNoCard) {
			err = cfg.Problem("personas."+key, err)
		}
		cards, problems = append(cards, c), append(problems, err)
	}
	return cards, errors.Join(problems...)
}

// Router returns what decides which persona a message is for. cards are the served ones, the configured persona first.
func Router(cfg *config.Config, cards []*card.Card) route.Router {
	policies := Policies(cfg.Channels)
	r := route.Router{Default: cards[0].Key, ForAdults: func(m channels.Message) bool {
		p, judged := policies[m.Room.Channel]
		return !judged || p.AllowsAdults(m)
	}}
	for _, c := range cards {
		at := cfg.PersonaSettings(c.Key)
		r.Personas = append(r.Personas, route.Persona{
			Key: c.Key, Name: c.Name, Rooms: at.Rooms, Servers: at.Servers, Channels: at.Channels, Mentions: at.Mentions, Selectable: at.Selectable, Adult: c.Adult,
		})
	}
	if cfg.OnlyPersona {
		r.Forced = r.Default
	}
	return r
}
