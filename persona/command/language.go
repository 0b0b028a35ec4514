package command

import (
	"context"
	"fmt"
	"strings"

	"familiar/persona/card"
	"familiar/persona/words"
)

// languageCommand shows or sets the language in which a person is answered.
func (r Runner) languageCommand(ctx context.Context, c call) (result, error) {
	tag := ""
	switch strings.ToLower(c.rest) {
	case "":
		if c.person.Language == "" {
			return result{text: "I answer you in the language you write in. /language German sets one, /language off ends that."}, nil
		}
		return result{text: fmt.Sprintf("I answer you in %s. /language off ends that.", card.LanguageName(c.person.Language))}, nil
	case "off":
	default:
		if tag = card.LanguageNamed(c.rest); tag == "" {
			return result{text: fmt.Sprintf("I know no language %q. Take a name such as German or a tag such as de.", words.Cut(c.rest, zoneRunes))}, nil
		}
	}
	if err := r.Store.Log.SetLanguage(ctx, c.person.ID, tag); err != nil {
		return result{}, err
	}
	if tag == "" {
		return result{text: "I answer you in the language you write in again."}, nil
	}
	return result{text: fmt.Sprintf("From now on I answer you in %s.", card.LanguageName(tag))}, nil
}
