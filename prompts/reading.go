package prompts

import "familiar/prompts/answer"

// Reading returns what package answer has to know to read the answer to p. name is the persona's name, machine reports that
// the persona is a machine by its card.
func (p Prompt) Reading(name string, machine bool) answer.Options {
	return answer.Options{Fence: p.Fence, Name: name, Others: p.Speakers, Rules: p.Rules, Machine: machine, MaxTokens: p.MaxTokens, Tools: p.ToolNames()}
}
