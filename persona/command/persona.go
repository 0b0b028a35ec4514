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
	choices := r.Personas.Choices(channels.Message{Room: c.room.Room, Server: c.server, Direct: true})
	if c.rest == "" {
		return result{text: r.introduce(choices)}, nil
	}
	if !c.room.Direct {
		return result{text: "Only a direct talk can be switched to another."}, nil
	}
	key := r.keyOf(c.rest, choices)
	switch key {
	case "":
		return result{text: fmt.Sprintf("%q is not to be had here. %s", words.Cut(c.rest, zoneRunes), r.introduce(choices))}, nil
	case r.Card.Key:
		return result{text: fmt.Sprintf("You are talking with %s already.", r.Card.Name)}, nil
	}
	chosen := key
	if key == choices[0] {
		chosen = "" // the configuration says so anyway
	}
	if err := r.Store.Log.ChoosePersona(ctx, c.room.ID, chosen); err != nil {
		return result{}, err
	}
	if err := r.Personas.Chosen(ctx); err != nil {
		return result{}, err
	}
	return result{text: fmt.Sprintf(
		"From your next message on you talk with %s here, who knows nothing of what you told me. /persona %s brings you back.", r.Personas.Name(key), r.Card.Key)}, nil
}

// introduce names the persona and those that the room can be switched to.
func (r Runner) introduce(choices []string) string {
	text := fmt.Sprintf("You are talking with %s.", r.Card.Name)
	others := slices.DeleteFunc(slices.Clone(choices), func(key string) bool { return key == r.Card.Key })
	if len(others) == 0 {
		return text + " Nobody else is here."
	}
	var b strings.Builder
	b.WriteString(text + " Also here, each with a memory of their own:")
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
