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

// Can returns what at least one of the models may be asked: the others get the same prompt without it.
func (c Chain) Can() (all prompts.Abilities) {
	for _, candidate := range c {
		one := Can(candidate.Model)
		all.Tools, all.Images = all.Tools || one.Tools, all.Images || one.Images
	}
	return all
}

// Can returns what the metered model may be asked.
func (m metered) Can() prompts.Abilities { return Can(m.asked.Model) }

// Can returns what the budgeted model may be asked.
func (m budgeted) Can() prompts.Abilities { return Can(m.model) }
