// Package judge lets a model rate what a persona said.
package judge

import (
	"context"
	"fmt"

	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// Ask asks a model for a verdict on a talk.
func Ask(ctx context.Context, m modelvoice.Model, in prompts.JudgeInput) (*prompts.Verdict, error) {
	var v prompts.Verdict
	_, err := modelvoice.Ask(ctx, m, prompts.Judge(in), func(text string) (err error) {
		v, err = prompts.ParseVerdict(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("not judged: %w", err)
	}
	return &v, nil
}
