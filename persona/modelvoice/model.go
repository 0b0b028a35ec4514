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

// Model answers prompts. There are two: the client of a language model, and the scripted one of tests.
type Model interface {
	// Generate answers p. stream, when not nil, receives the answer piece by piece while it grows. Beside an error the
	// Answer holds what was streamed until then, and what all attempts cost even when that is nothing; the error's text
	// is fit for the operator.
	Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error)
}

// permanent is an error that knows whether it will befall every prompt until someone does something about it.
type permanent interface{ Permanent() bool }

// IsPersistent says of a model's fault that no other prompt will fare better for now.
func IsPersistent(err error) bool {
	var fault permanent
	return errors.Is(err, budget.ErrCapReached) || errors.As(err, &fault) && fault.Permanent()
}

// Meter charges model calls against the day's caps.
type Meter struct {
	Store *memory.Store
	// Persona is the card's key.
	Persona string
	// PersonCap and GlobalCap bound a day's tokens of one person and of everybody, 0 for no cap.
	PersonCap, GlobalCap int
	// Now reads the clock; a day begins at midnight in Zone, UTC when nil.
	Now  func() time.Time
	Zone *time.Location
}

// For returns m with every call reserved before it is made and settled after, for a person or, with 0, for the
// persona's own work, which only the cap of everybody bounds. A call for which a cap has no room left is not made and
// fails with memory.ErrCapReached.
func (meter Meter) For(person int64, m Model) Model { return metered{meter, person, m} }

type metered struct {
	Meter
	person int64
	model  Model
}

// settleWithin bounds the settling of a call that its caller no longer waits for.
const settleWithin = 10 * time.Second

// Generate implements Model. It reserves the whole prompt and the longest answer, and settles for what was used.
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
