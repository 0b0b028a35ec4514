package modelvoice

import (
	"context"
	"fmt"

	"familiar/prompts"
)

// Ask asks m and passes the text of its answer to read. If read rejects it, Ask asks once more, and tells the model what
// was wrong with its answer; one that reached its limit would reach it again. The error is the model's, or that of read about the second answer. The answer holds what both
// cost.
func Ask(ctx context.Context, m Model, p prompts.Prompt, read func(text string) error) (prompts.Answer, error) {
	answer, err := m.Generate(ctx, p, nil)
	if err != nil {
		return answer, err
	}
	wrong := read(answer.Text)
	if wrong == nil || answer.Stop == prompts.StopLength {
		return answer, wrong
	}
	again, err := m.Generate(ctx, p.Again(answer.Text, wrong), nil)
	again = again.After(answer)
	if err != nil {
		return again, fmt.Errorf("%s; asked again: %w", wrong.Error(), err) // it is not known to be useless
	}
	return again, read(again.Text)
}
