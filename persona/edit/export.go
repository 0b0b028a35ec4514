package edit

import (
	"slices"

	"familiar/persona/card"
	"familiar/persona/character"
)

// YAML is the format of a persona's own file, beside those of character cards.
const YAML = "yaml"

// IsFormat reports whether a persona can be exported in a format.
func IsFormat(format string) bool {
	return format == YAML || slices.Contains(character.Formats, character.Format(format))
}

// Export returns a persona in a format. spec is the version of JSON, 0 for that of the card that the persona was made from.
func Export(dir, key, format string, spec character.Spec) ([]byte, error) {
	if format == YAML {
		data, file, err := card.CardText(dir, key)
		if err == nil {
			_, err = card.ParseCard(file, data)
		}
		return data, err
	}
	c, err := card.LoadCard(dir, key)
	if err != nil {
		return nil, err
	}
	source, err := card.Source(dir, key)
	if err != nil {
		return nil, err
	}
	var original *character.Character
	version := character.V3
	if source != nil {
		original = source.Character
		version = max(source.Spec, character.V2)
	}
	if spec != 0 {
		version = spec
	}
	made, err := card.ToCharacter(c, original)
	if err != nil {
		return nil, err
	}
	return character.Write(made, source, character.Format(format), version)
}
