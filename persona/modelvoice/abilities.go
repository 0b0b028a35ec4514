package modelvoice

import "familiar/prompts"

// able is a model that knows what it may be asked.
type able interface{ Can() prompts.Abilities }

// Can returns what a model may be asked beyond words, nothing if it does not know.
func Can(m Model) prompts.Abilities {
	if a, ok := m.(able); ok {
		return a.Can()
	}
	return prompts.Abilities{}
}

// Can returns what the models may be asked: tools if one of them takes them, since the others get the same prompt without,
// and pictures if the first sees.
func (c Chain) Can() (all prompts.Abilities) {
	for i, candidate := range c {
		one := Can(candidate.Model)
		all.Tools = all.Tools || one.Tools
		all.Images = all.Images || i == 0 && one.Images
	}
	return all
}

// Can returns what the metered model may be asked.
func (m metered) Can() prompts.Abilities { return Can(m.asked.Model) }

// Can returns what the budgeted model may be asked.
func (m budgeted) Can() prompts.Abilities { return Can(m.model) }
