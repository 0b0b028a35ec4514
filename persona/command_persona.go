package persona

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
func (cm commander) personaCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	here := channels.Message{Room: c.room.Room, Server: c.server, Direct: true}
	choices := cm.Router().Choices(here)
	if c.rest == "" {
		return commandResult{text: cm.introduce(choices)}, nil
	}
	if !c.room.Direct {
		return commandResult{text: "Only a direct talk can be switched to another."}, nil
	}
	key := cm.keyOf(c.rest, choices)
	switch key {
	case "":
		return commandResult{text: fmt.Sprintf("%q is not to be had here. %s", words.Cut(c.rest, zoneRunes), cm.introduce(choices))}, nil
	case cm.Card.Key:
		return commandResult{text: fmt.Sprintf("You are talking with %s already.", cm.Card.Name)}, nil
	}
	chosen := key
	if key == cm.Router().Owner(here) {
		chosen = "" // the configuration says so anyway
	}
	if err := cm.store.Log.ChoosePersona(ctx, c.room.ID, chosen); err != nil {
		return commandResult{}, err
	}
	if err := cm.readChosen(ctx); err != nil {
		return commandResult{}, err
	}
	return commandResult{text: fmt.Sprintf(
		"From your next message on you talk with %s here, who knows nothing of what you told me. /persona %s brings you back.", cm.Cast.Engine(key).Card.Name, cm.Card.Key)}, nil
}

// introduce names the persona and those that the room can be switched to.
func (cm commander) introduce(choices []string) string {
	text := fmt.Sprintf("You are talking with %s.", cm.Card.Name)
	others := slices.DeleteFunc(slices.Clone(choices), func(key string) bool { return key == cm.Card.Key })
	if len(others) == 0 {
		return text + " Nobody else is here."
	}
	var b strings.Builder
	b.WriteString(text + " Also here, each with a memory of their own:")
	for _, key := range others {
		fmt.Fprintf(&b, "\n  /persona %s  %s", key, cm.Cast.Engine(key).Card.Name)
	}
	return b.String()
}

// keyOf returns the key among choices that somebody means by a key or a name, "" for none.
func (cm commander) keyOf(named string, choices []string) string {
	for _, key := range choices {
		if strings.EqualFold(named, key) || strings.EqualFold(named, cm.Cast.Engine(key).Card.Name) {
			return key
		}
	}
	return ""
}
