package persona

import (
	"context"
	"fmt"
	"strings"

	"familiar/persona/card"
	"familiar/persona/words"
)

// languageCommand shows or sets the language in which a person is answered.
func (cm commander) languageCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	tag := ""
	switch strings.ToLower(c.rest) {
	case "":
		if c.person.Language == "" {
			return commandResult{text: "I answer you in the language you write in. /language German sets one, /language off ends that."}, nil
		}
		return commandResult{text: fmt.Sprintf("I answer you in %s. /language off ends that.", card.LanguageName(c.person.Language))}, nil
	case "off":
	default:
		if tag = card.LanguageNamed(c.rest); tag == "" {
			return commandResult{text: fmt.Sprintf("I know no language %q. Take a name such as German or a tag such as de.", words.Cut(c.rest, zoneRunes))}, nil
		}
	}
	if err := cm.Store.Log.SetLanguage(ctx, c.person.ID, tag); err != nil {
		return commandResult{}, err
	}
	if tag == "" {
		return commandResult{text: "I answer you in the language you write in again."}, nil
	}
	return commandResult{text: fmt.Sprintf("From now on I answer you in %s.", card.LanguageName(tag))}, nil
}
