package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"familiar/prompts"
)

// ErrBudgetSpent reports that a model call would exceed the budget of its run. The error around it names what is left.
var ErrBudgetSpent = errors.New("the tokens of the run are spent")

// Budget is what one run of a job may use of the model, in addition to the daily caps. It is safe for concurrent use.
type Budget struct {
	limit int

	mu          sync.Mutex
	used, calls int
}

// NewBudget returns a budget of that many tokens, for prompts and answers together; 0 means unlimited.
func NewBudget(tokens int) *Budget { return &Budget{limit: tokens} }

// Spent returns the tokens used so far, including those reserved by running calls.
func (b *Budget) Spent() (tokens, calls int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used, b.calls
}

// reserve reserves tokens, or fails with ErrBudgetSpent.
func (b *Budget) reserve(tokens int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit > 0 && b.used+tokens > b.limit {
		return capReached{asked: tokens, left: b.limit - b.used, limit: b.limit}
	}
	b.used += tokens
	b.calls++
	return nil
}

// settle replaces a reservation with what its call used.
func (b *Budget) settle(reserved, used int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used += used - reserved
}

// capReached is ErrBudgetSpent with the numbers. It is persistent: no other call of the run will succeed.
type capReached struct{ asked, left, limit int }

// Error describes what was asked for and what is left.
func (s capReached) Error() string {
	return fmt.Sprintf("%v: %d of %d are left, and the next call may take %d", ErrBudgetSpent, s.left, s.limit, s.asked)
}

// Unwrap returns ErrBudgetSpent.
func (s capReached) Unwrap() error { return ErrBudgetSpent }

// Permanent reports that no other prompt of the run will succeed.
func (s capReached) Permanent() bool { return true }

type budgetKey struct{}

// WithBudget returns a context whose calls to a Budgeted model are charged to b.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

// Budgeted returns m with every call charged to the budget of its context, if there is one. A call that exceeds the
// budget is not made and fails with ErrBudgetSpent.
func Budgeted(m Model) Model { return budgeted{m} }

type budgeted struct{ model Model }

// Generate implements Model.
func (m budgeted) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	b, ok := ctx.Value(budgetKey{}).(*Budget)
	if !ok {
		return m.model.Generate(ctx, p, stream)
	}
	most := p.Tokens() + p.MaxTokens
	if err := b.reserve(most); err != nil {
		return prompts.Answer{}, fmt.Errorf("ask the model for a %s: %w", p.Name, err)
	}
	answer, err := m.model.Generate(ctx, p, stream)
	b.settle(most, answer.TokensIn+answer.TokensOut)
	return answer, err
}
