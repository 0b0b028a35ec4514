package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory"
	"familiar/memory/budget"
	"familiar/prompts"
)

// Model answers prompts. There are two implementations: the client of a language model, and the scripted model of the
// tests.
type Model interface {
	// Generate answers p. If stream is not nil, it receives the answer piece by piece. With an error, the Answer still
	// holds what was streamed and what all attempts cost. The error's text is fit for the operator.
	Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error)
}

// permanent is an error that knows whether it persists until someone fixes the cause.
type permanent interface{ Permanent() bool }

// IsPersistent reports whether a model's fault will also fail other prompts for now.
func IsPersistent(err error) bool {
	var fault permanent
	return errors.Is(err, budget.ErrCapReached) || errors.As(err, &fault) && fault.Permanent()
}

// Meter charges model calls to the daily caps.
type Meter struct {
	Store *memory.Store
	// Persona is the card's key.
	Persona string
	// PersonCap and GlobalCap bound the tokens per day, of one person and of everyone; 0 means no cap.
	PersonCap, GlobalCap int
	// Now reads the clock. A day begins at midnight in Zone, UTC if nil.
	Now  func() time.Time
	Zone *time.Location
}

// For returns m with every call reserved beforehand and settled afterwards, for a person or, with 0, for the persona's
// own work, which only the global cap bounds. A call that exceeds a cap is not made and fails with
// memory.ErrCapReached.
func (meter Meter) For(person int64, m Model) Model { return metered{meter, person, m} }

type metered struct {
	Meter
	person int64
	model  Model
}

// settleWithin bounds the settling of a call whose caller is gone.
const settleWithin = 10 * time.Second

// Generate implements Model. It reserves the whole prompt and the longest answer, and settles what was used.
func (m metered) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	zone := m.Zone
	if zone == nil {
		zone = time.UTC
	}
	r := budget.Reservation{
		Day: m.Now().In(zone).Format(time.DateOnly), Persona: m.Persona, PersonID: m.person,
		Tokens: p.Tokens() + p.MaxTokens, PersonCap: m.PersonCap, GlobalCap: m.GlobalCap,
	}
	if err := m.Store.Budget.Reserve(ctx, r); err != nil {
		return prompts.Answer{}, fmt.Errorf("ask the model for a %s: %w", p.Name, err)
	}
	answer, err := m.model.Generate(ctx, p, stream)
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	if unsettled := m.Store.Budget.Settle(settling, r, answer.TokensIn+answer.TokensOut); unsettled != nil && err == nil {
		err = fmt.Errorf("charge the model's %s: %w", p.Name, unsettled)
	}
	return answer, err
}
