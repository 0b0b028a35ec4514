package command

import (
	"context"
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
			return c.told("language.none"), nil
		}
		return c.told("language.is", "language", c.language(c.person.Language)), nil
	case "off":
	default:
		if tag = card.LanguageNamed(c.rest); tag == "" {
			return c.told("language.unknown", "name", words.Cut(c.rest, zoneRunes)), nil
		}
	}
	if err := r.Store.Log.SetLanguage(ctx, c.person.ID, tag); err != nil {
		return result{}, err
	}
	if tag == "" {
		return c.told("language.off"), nil
	}
	now := tongueOf(tag, "")
	return now.told("language.set", "language", now.language(tag)), nil
}
