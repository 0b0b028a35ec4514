package command

import (
	"context"
	"net/netip"
	"net/url"

	"familiar/channels/markdown"
	"familiar/memory/log"
	"familiar/memory/login"
)

// pageCommand gives a person a private link to the page with what the persona knows of them.
func (r Runner) pageCommand(_ context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("direct.only"), nil
	}
	address := ""
	if r.SignIn != nil {
		address = r.SignIn()
	}
	if address == "" {
		return c.told("me.none"), nil
	}
	text := c.say("me.link", "minutes", int(login.PersonLinkLifetime.Minutes()))
	if onlyHere(address) {
		text += " " + c.say("me.here")
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		l := login.Link{Role: login.Person, Persona: r.Card.Key, PersonID: c.person.ID, Expires: r.Now().Add(login.PersonLinkLifetime)}
		return r.Store.Logins.LinkAndAnswer(ctx, r.Random, l, func(token string) log.CommandAnswer {
			answer.Text, answer.OneTime = markdown.Escape(text)+"\n<"+address+token+">", true
			return answer
		})
	}}, nil
}

// onlyHere reports whether an address can be opened on this machine only.
func onlyHere(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
