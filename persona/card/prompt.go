package card

import (
	"familiar/persona/macro"
	"familiar/prompts"
)

// Prompt returns the card as input of a prompt. If its placeholders are not filled yet, they stand for nobody in
// particular.
func (c *Card) Prompt() prompts.Card {
	c = c.Filled(macro.Values{User: "you"})
	card := prompts.Card{
		Name: c.Name, Description: c.Description, Voice: c.Voice, Values: c.Values, Boundaries: c.Boundaries,
		Language: languageName(c.Language),
	}
	for _, t := range c.Traits {
		card.Traits = append(card.Traits, degree(t.Strength)+t.Name)
	}
	for _, e := range c.Examples {
		card.Examples = append(card.Examples, prompts.Example(e))
	}
	return card
}

// degree words a trait's strength (0–1) as an adverb.
func degree(strength float64) string {
	switch {
	case strength < 0.35:
		return "slightly "
	case strength < 0.7:
		return ""
	}
	return "very "
}
