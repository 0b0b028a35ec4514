// Package dashboard connects the pages of the dashboard (package web) with one home, and has the verb `familiar dashboard`.
package dashboard

import (
	"crypto/rand"
	"net/http"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/persona/card"
	"familiar/web"
	"familiar/web/layout"
	"familiar/web/signin"
)

// Handler returns the dashboard of an open home behind its sign-in. address is its public address, "" for none. end throws away what
// lasts no longer than the dashboard; it is called when no more requests are answered, and before the home is closed.
func Handler(inv *cli.Invocation, a *app.App, address string) (pages http.Handler, end func(), err error) {
	inner, end := Pages(inv, a)
	guard, err := signin.New(signin.Options{Logins: a.Store.Logins, Address: address, Random: rand.Reader, Now: a.Now, Log: a.Log}, inner)
	return guard, end, err
}

// Pages returns the dashboard of an open home without its sign-in, and its end as Handler does.
func Pages(inv *cli.Invocation, a *app.App) (pages http.Handler, end func()) {
	inv = inv.On(a.Store)
	characters := characterPages(a)
	return web.New(web.Options{
		Conversations: conversationPages(a), Mind: mindPages(inv, a),
		Store: a.Store, Now: a.Now, Zone: a.Config.Timezone.Location, Log: a.Log,
		Reports:  a.Config.Home.Reports(),
		Personas: func() []layout.Persona { return personas(a) },
		Home:     homePages(inv, a), Character: characters, Memories: memoryPages(a),
		People: peopleActions(a), Me: ownActions(a),
	}), characters.Close
}

// personas returns the personas that are served, also those whose card is broken at the moment.
func personas(a *app.App) (all []layout.Persona) {
	for _, key := range a.Config.Served() {
		p := layout.Persona{Key: key, Name: key}
		if key == a.Card.Key {
			p.Name = a.Card.Name
		} else if c, err := card.LoadCard(a.Config.Home.Personas(), key); err == nil {
			p.Name = c.Name
		}
		all = append(all, p)
	}
	return all
}
