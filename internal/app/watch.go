package app

import (
	"context"

	"familiar/persona/card"
)

// WatchCards loads changed persona files until ctx ends; see card.Watcher. How memories fade and when jobs run by the
// persona's own timezone follow at the next start.
func (p *Personas) WatchCards(ctx context.Context) {
	first := p.Apps[0]
	w := &card.Watcher{Dir: first.Config.Home.Personas(), Renew: p.renew, Now: first.Now, Log: first.Log}
	for _, a := range p.Apps {
		w.Keys = append(w.Keys, a.Card.Key)
	}
	w.Run(ctx)
}

// renew puts a changed card to use. It is called by one goroutine.
func (p *Personas) renew(c *card.Card) {
	e, first := p.Engine(c.Key), p.Apps[0]
	if e.Card.Language != c.Language {
		first.Store.Recall.SetLanguage(c.Key, c.Language)
	}
	settings := e.Settings
	settings.Zone = first.zoneOf(c)
	p.Renew(c, settings)
}
