package persona_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"familiar/persona/model"
	"familiar/prompts"
)

// flat answers everything for so many tokens.
type flat int

func (f flat) Generate(context.Context, prompts.Prompt, func(string)) (prompts.Answer, error) {
	return prompts.Answer{Text: "well", TokensIn: int(f)}, nil
}

func TestARunsBudgetIsNeverExceeded(t *testing.T) {
	p := prompts.Prompt{Name: "dream", MaxTokens: 100} // up to 100 and the prompt's own
	most := p.Tokens() + p.MaxTokens
	m := model.Budgeted(flat(most / 2))
	b := model.NewBudget(5 * most)
	ctx := model.WithBudget(t.Context(), b)
	var wg sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for range 40 {
		wg.Go(func() {
			if _, err := m.Generate(ctx, p, nil); errors.Is(err, model.ErrBudgetSpent) {
				mu.Lock()
				refused++
				mu.Unlock()
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	tokens, calls := b.Spent()
	if tokens > 5*most || calls+refused != 40 || calls < 5 || refused == 0 || tokens != calls*(most/2) {
		t.Errorf("%d calls for %d tokens of %d, %d refused", calls, tokens, 5*most, refused)
	}
}

func TestWithoutABudgetNothingIsRefused(t *testing.T) {
	p := prompts.Prompt{Name: "dream", MaxTokens: 100}
	m := model.Budgeted(flat(1_000_000))
	unbound := model.WithBudget(t.Context(), model.NewBudget(0))
	for _, ctx := range []context.Context{t.Context(), unbound, unbound} {
		if answer, err := m.Generate(ctx, p, nil); err != nil || answer.Text != "well" {
			t.Errorf("got %+v, %v", answer, err)
		}
	}
}

// TestASpentBudgetEndsARun: what knows of faults that last ends the run, and does not try the next session.
func TestASpentBudgetEndsARun(t *testing.T) {
	_, err := model.Budgeted(flat(1)).Generate(model.WithBudget(t.Context(), model.NewBudget(1)), prompts.Prompt{MaxTokens: 2}, nil)
	var lasts interface{ Permanent() bool }
	if !errors.Is(err, model.ErrBudgetSpent) || !errors.As(err, &lasts) || !lasts.Permanent() {
		t.Errorf("got %v", err)
	}
}
