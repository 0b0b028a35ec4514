package modelvoice

import (
	"cmp"
	"errors"

	"familiar/persona/scene"
	"familiar/prompts"
)

// contextTooLong is an error that knows whether the prompt was too long for the model, and the size of the model's
// context window in tokens, 0 if the provider did not name it.
type contextTooLong interface {
	ContextLimit() (limit int, tooLong bool)
}

// promptWithin returns the prompt for a scene within a budget of tokens, 0 for the default, or within what is known to
// fit, if that is less.
func (v *Voice) promptWithin(s scene.Scene, budget int) prompts.Prompt {
	if fits := int(v.fits.Load()); fits > 0 {
		budget = min(cmp.Or(budget, prompts.DefaultBudget), fits)
	}
	tools := v.usesTools(cmp.Or(budget, prompts.DefaultBudget))
	offered, size := s.Tools.Tools(memoryTools)
	tools = tools && len(offered) > 0
	if tools && budget > 0 { // beside the default there is room in every window
		budget -= roomFor(s, size)
	}
	images := v.images(s, cmp.Or(budget, prompts.DefaultBudget))
	if budget > 0 {
		budget -= len(images) * prompts.ImageTokens
	}
	in := ReplyInput(s, budget)
	in.MaxTokens = v.longest
	prompt := prompts.Reply(in)
	if tools {
		prompt = prompt.WithTools(offered)
	}
	prompt = prompt.WithImages(images)
	prompt.Room = s.Room
	return prompt
}

// smaller returns the size of the prompt to ask with after err, 0 if its size was not the matter: what the window leaves
// beside the answer, less a tenth, since providers count tokens in their own way, or half if the window is unknown. It
// remembers what it learnt of the window.
func (v *Voice) smaller(p prompts.Prompt, err error) int {
	var long contextTooLong
	if !errors.As(err, &long) {
		return 0
	}
	window, tooLong := long.ContextLimit()
	switch tokens := p.Tokens(); {
	case !tooLong:
		return 0
	case window > p.MaxTokens:
		size := max(1, min((window-p.MaxTokens)*9/10, tokens*3/4))
		v.fits.Store(int64(size))
		return size
	default:
		return max(1, tokens/2)
	}
}
