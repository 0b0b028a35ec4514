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

// Meter charges model calls to the caps and keeps them in the ledger.
type Meter struct {
	Store *memory.Store
	// Persona is the card's key.
	Persona string
	Caps    budget.Caps
	// Now reads the clock. A day begins at midnight in Zone, UTC if nil.
	Now  func() time.Time
	Zone *time.Location
	// Observe, if set, is called after each call.
	Observe func(Call)
}

// Call is what one call of a model took.
type Call struct {
	// Model is the model's name in the ledger, Job what the call was for.
	Model, Job string
	Took       time.Duration
	Used       budget.Used
	// Cost is that of answers, and of attempts without one.
	Cost budget.Money
	Err  error
}

// For returns m with every call reserved beforehand and settled afterwards, for a person or, with 0, for the persona's
// own work, which only the caps on everybody bound. A call that exceeds a cap is not made and fails with
// budget.ErrCapReached. Of a Chain each candidate is charged under its own name and price.
func (meter Meter) For(person int64, m Model) Model {
	chain, ok := m.(Chain)
	if !ok {
		return metered{meter, person, Candidate{Model: m}}
	}
	charged := make(Chain, len(chain))
	for i, c := range chain {
		charged[i] = Candidate{metered{meter, person, c}, c.Name, c.Price}
	}
	return charged
}

// today returns the day that calls count for now.
func (meter Meter) today() string {
	zone := meter.Zone
	if zone == nil {
		zone = time.UTC
	}
	return meter.Now().In(zone).Format(time.DateOnly)
}

type jobKey struct{}

// WithJob returns a context whose calls are kept in the ledger under the name of a job.
func WithJob(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, jobKey{}, name)
}

type payerKey struct{}

// WithPayer returns a context whose calls for the persona's own work count towards the caps of a person too: they were
// made because of something that the person sent.
func WithPayer(ctx context.Context, person int64) context.Context {
	return context.WithValue(ctx, payerKey{}, person)
}

type roomKey struct{}

// WithRoom returns a context whose calls count towards the caps of a room too.
func WithRoom(ctx context.Context, room int64) context.Context {
	return context.WithValue(ctx, roomKey{}, room)
}

// charge reserves what a call may use, makes it, and settles what it used.
func (meter Meter) charge(ctx context.Context, r budget.Reservation, call func() (budget.Used, error)) error {
	if err := meter.Store.Budget.Reserve(ctx, r); err != nil {
		return fmt.Errorf("ask the model for a %s: %w", r.Job, err)
	}
	started := meter.Now()
	used, err := call()
	made := Call{r.Model, r.Job, meter.Now().Sub(started), used, r.Price.Charge(used) + r.Price.Of(used.FailedIn, used.FailedOut), err}
	if meter.Observe != nil {
		meter.Observe(made)
	}
	if spent, ok := ctx.Value(spentKey{}).(*Spent); ok {
		spent.add(made)
	}
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	if unsettled := meter.Store.Budget.Settle(settling, r, used); unsettled != nil && err == nil {
		err = fmt.Errorf("charge the model's %s: %w", r.Job, unsettled)
	}
	return err
}

type metered struct {
	Meter
	person int64
	asked  Candidate
}

// settleWithin bounds the settling of a call whose caller is gone.
const settleWithin = 10 * time.Second

// Generate implements Model. It reserves the whole prompt and the longest answer, and settles what was used. A call that
// failed counts towards no cap; one that its caller ended does.
func (m metered) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	room, _ := ctx.Value(roomKey{}).(int64)
	r := budget.Reservation{
		Day: m.today(), Persona: m.Persona, PersonID: m.payer(ctx), RoomID: room, Job: m.job(ctx, p), Model: m.asked.Name,
		In: p.Tokens(), Out: p.MaxTokens, Price: m.asked.Price, Caps: m.Caps,
	}
	var answer prompts.Answer
	err := m.charge(ctx, r, func() (used budget.Used, err error) {
		answer, err = m.asked.Model.Generate(ctx, p, stream)
		used = budget.Used{
			Requests: answer.Requests, In: answer.TokensIn, Out: answer.TokensOut, CacheRead: answer.CacheRead, CacheWritten: answer.CacheWritten,
			FailedIn: answer.FailedIn, FailedOut: answer.FailedOut,
		}
		if err != nil && ctx.Err() == nil {
			if !answer.Estimated { // else the provider counted nothing
				used.FailedIn += answer.TokensIn
				used.FailedOut += answer.TokensOut
			}
			used.In, used.Out, used.CacheRead, used.CacheWritten = 0, 0, 0, 0
		}
		return used, err
	})
	return answer, err
}

// payer returns whose caps bound a call, 0 for the persona's alone.
func (m metered) payer(ctx context.Context) int64 {
	if person, ok := ctx.Value(payerKey{}).(int64); ok && m.person == 0 {
		return person
	}
	return m.person
}

// job returns what a call is for: talk, the job of its context, or else what the prompt asks for.
func (m metered) job(ctx context.Context, p prompts.Prompt) string {
	if m.person != 0 {
		return budget.Talk
	}
	if name, ok := ctx.Value(jobKey{}).(string); ok {
		return name
	}
	return p.Name
}
