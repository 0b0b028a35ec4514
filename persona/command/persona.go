package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/persona/words"
)

// personaCommand says which persona this is and which others are there, or switches the room to another. What it shows is
// the operator's: names and keys.
func (r Runner) personaCommand(ctx context.Context, c call) (result, error) {
	here := channels.Message{Room: c.room.Room, Server: c.server, Direct: true}
	choices := r.Personas.Choices(here)
	if c.rest == "" {
		return result{text: r.introduce(c, choices)}, nil
	}
	if !c.room.Direct {
		return c.told("persona.direct"), nil
	}
	key := r.keyOf(c.rest, choices)
	switch key {
	case "":
		return c.told("persona.unknown", "name", words.Cut(c.rest, zoneRunes), "who", r.introduce(c, choices)), nil
	case r.Card.Key:
		return c.told("persona.already", "name", r.Card.Name), nil
	}
	chosen := key
	if key == r.Personas.Owner(here) {
		chosen = "" // the configuration says so anyway
	}
	if err := r.Store.Log.ChoosePersona(ctx, c.room.ID, chosen); err != nil {
		return result{}, err
	}
	if err := r.Personas.Chosen(ctx); err != nil {
		return result{}, err
	}
	return c.told("persona.switched", "name", r.Personas.Name(key), "key", r.Card.Key), nil
}

// introduce names the persona and those that the room can be switched to.
func (r Runner) introduce(c call, choices []string) string {
	others := slices.DeleteFunc(slices.Clone(choices), func(key string) bool { return key == r.Card.Key })
	if len(others) == 0 {
		return c.say("persona.nobody", "name", r.Card.Name)
	}
	var b strings.Builder
	b.WriteString(c.say("persona.others", "name", r.Card.Name))
	for _, key := range others {
		fmt.Fprintf(&b, "\n  /persona %s  %s", key, r.Personas.Name(key))
	}
	return b.String()
}

// keyOf returns the key among choices that somebody means by a key or a name, "" for none.
func (r Runner) keyOf(named string, choices []string) string {
	for _, key := range choices {
		if strings.EqualFold(named, key) || strings.EqualFold(named, r.Personas.Name(key)) {
			return key
		}
	}
	return ""
}
