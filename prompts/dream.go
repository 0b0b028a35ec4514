package prompts

import (
	"fmt"

	"familiar/prompts/answer"
)

// DreamInput is the material for a dream: messages of the last weeks in one place.
type DreamInput struct {
	// Card is the persona that dreams.
	Card     Card
	Memories []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// DreamResult is a dream written by a model.
type DreamResult struct {
	Dream Statement `json:"dream"`
	// Insight is what the persona understood from it, nil for nothing.
	Insight *Statement `json:"insight"`
}

// Dream asks for a dream in the persona's voice, based on messages, and for an insight from it. ParseDream parses the
// answer.
func Dream(in DreamInput) Prompt {
	p := numberedTalk("dream", in.Card.Name, in.Memories, in.Budget, fields{"Card": in.Card.fields()})
	p.MaxTokens, p.JSON, p.Schema = min(dreamMaxTokens, orDefault(in.Budget, DefaultBudget)), true, answer.Schema(DreamResult{})
	return p
}

// ParseDream parses the answer to Dream. If it is truncated, too long, not JSON or of the wrong shape, the error is
// ErrInvalidAnswer.
func ParseDream(text string) (d DreamResult, err error) {
	if err := answer.JSON(text, &d); err != nil {
		return DreamResult{}, fmt.Errorf("%w: %w", ErrInvalidAnswer, err)
	}
	if d.Dream.Text == "" {
		return DreamResult{}, fmt.Errorf("%w: the dream has no text", ErrInvalidAnswer)
	}
	return d, nil
}
