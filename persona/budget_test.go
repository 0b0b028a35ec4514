package persona_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// flat answers everything at a fixed cost in tokens.
type flat int

func (f flat) Generate(context.Context, prompts.Prompt, func(string)) (prompts.Answer, error) {
	return prompts.Answer{Text: "well", TokensIn: int(f)}, nil
}

func TestARunsBudgetIsNeverExceeded(t *testing.T) {
	p := prompts.Prompt{Name: "dream", MaxTokens: 100} // up to 100 and the prompt's own
	most := p.Tokens() + p.MaxTokens
	m := modelvoice.Budgeted(flat(most / 2))
	b := modelvoice.NewBudget(5 * most)
	ctx := modelvoice.WithBudget(t.Context(), b)
	var wg sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for range 40 {
		wg.Go(func() {
			if _, err := m.Generate(ctx, p, nil); errors.Is(err, modelvoice.ErrBudgetSpent) {
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

func TestNoBudgetRefusesNothing(t *testing.T) {
	p := prompts.Prompt{Name: "dream", MaxTokens: 100}
	m := modelvoice.Budgeted(flat(1_000_000))
	unbound := modelvoice.WithBudget(t.Context(), modelvoice.NewBudget(0))
	for _, ctx := range []context.Context{t.Context(), unbound, unbound} {
		if answer, err := m.Generate(ctx, p, nil); err != nil || answer.Text != "well" {
			t.Errorf("got %+v, %v", answer, err)
		}
	}
}

// TestASpentBudgetEndsARun: a permanent fault ends the run without trying the next session.
func TestASpentBudgetEndsARun(t *testing.T) {
	_, err := modelvoice.Budgeted(flat(1)).Generate(modelvoice.WithBudget(t.Context(), modelvoice.NewBudget(1)), prompts.Prompt{MaxTokens: 2}, nil)
	var lasts interface{ Permanent() bool }
	if !errors.Is(err, modelvoice.ErrBudgetSpent) || !errors.As(err, &lasts) || !lasts.Permanent() {
		t.Errorf("got %v", err)
	}
}
