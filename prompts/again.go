package prompts

import (
	"slices"

	"familiar/internal/tokens"
)

// Again returns p followed by an answer that could not be used and what was wrong with it.
func (p Prompt) Again(answer string, wrong error) Prompt {
	p.Messages = append(slices.Clone(p.Messages),
		Message{Assistant, cutMiddle(answer, againTokens)},
		Message{User, "That could not be used: " + oneLine(wrong.Error()) + ". Answer again, as you were asked to at first, and with nothing else."})
	return p
}

// InCharacter returns p with a note that asks for the persona's own words, for when an answer could not be said. The answer
// itself is not shown again: a model that sees its own refusal repeats it.
func (p Prompt) InCharacter(name string) Prompt {
	if name = oneLine(name); name == "" {
		name = "the persona"
	}
	note := render("in-character", name)
	p.Messages = slices.Clone(p.Messages)
	last := &p.Messages[len(p.Messages)-1]
	last.Text += "\n\n" + note
	p.Rules += "\n" + note
	p.Slices = append(slices.Clone(p.Slices), Slice{Name: SliceSafety, Tokens: tokens.Estimate(note)})
	return p
}

// againTokens is how much of an unusable answer the model sees again.
const againTokens = 400
