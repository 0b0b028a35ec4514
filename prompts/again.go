package prompts

import "slices"

// Again returns p followed by an answer that could not be used and what was wrong with it.
func (p Prompt) Again(answer string, wrong error) Prompt {
	p.Messages = append(slices.Clone(p.Messages),
		Message{Assistant, cutMiddle(answer, againTokens)},
		Message{User, "That could not be used: " + oneLine(wrong.Error()) + ". Answer again, as you were asked to at first, and with nothing else."})
	return p
}

// againTokens is how much of an unusable answer the model sees again.
const againTokens = 400
