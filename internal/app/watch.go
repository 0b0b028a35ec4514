package app

import (
	"context"

	"familiar/persona/card"
)

// WatchCards loads changed persona files until ctx ends; see card.Watcher.
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
	settings.Zone, settings.Proactive = first.zoneOf(c), proactivePolicy(first.Config.Channels, c.Adult)
	if err := first.Store.Lifecycle.SetRates(c.Key, c.Rates); err != nil { // a card that was read has rates that are allowed
		first.Log.Error("change how a persona's memories fade", "persona", c.Key, "error", err)
	}
	p.Renew(c, settings)
}
