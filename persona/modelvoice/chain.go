package modelvoice

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/budget"
	"familiar/prompts"
)

// Candidate is a model with what the ledger keeps about it.
type Candidate struct {
	Model Model
	// Name is the name in the ledger. Price is what its tokens cost.
	Name  string
	Price budget.Price
}

// Chain is the models of one role: the first answers, and each of the others if those before it cannot.
type Chain []Candidate

// elsewhere is an error that knows whether another model may succeed with the same prompt.
type elsewhere interface{ Elsewhere() bool }

// Generate implements Model. The next candidate is asked if one fails for a reason that does not hold for the others, or
// may not be used because of a cap: the next may be cheaper. Once a piece was streamed, nobody else is asked, because it
// could not be withdrawn.
func (c Chain) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (answer prompts.Answer, err error) {
	var earlier error
	for i, candidate := range c {
		answer, err = candidate.Model.Generate(ctx, p, stream)
		if err == nil {
			return answer, nil
		}
		if earlier != nil {
			err = fmt.Errorf("%w; before: %w", err, earlier)
		}
		if i == len(c)-1 || answer.Text != "" || ctx.Err() != nil || !mayFallBack(err) {
			break
		}
		earlier = err
	}
	return answer, err
}

// mayFallBack reports whether another model may succeed where one failed.
func mayFallBack(err error) bool {
	var fault elsewhere
	return errors.Is(err, budget.ErrCapReached) || errors.As(err, &fault) && fault.Elsewhere()
}
