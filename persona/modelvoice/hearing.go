package modelvoice

import (
	"context"
	"time"

	"familiar/internal/speech"
	"familiar/internal/tokens"
	"familiar/memory/budget"
)

// Transcribing is the job of transcripts in the ledger.
const Transcribing = "transcribe"

// Hearing charges the transcripts of recordings to the caps. A second counts as speech.TokensPerSecond tokens, and what is said as
// those of a text.
type Hearing struct {
	*speech.Transcriber
	Meter Meter
	// Name is the model's name in the ledger, PerMinute what a minute costs, 0 if that is unknown.
	Name      string
	PerMinute budget.Money
}

// mostSpoken is the number of tokens that are said in a second at most.
const mostSpoken = 10

// Transcribe returns what is said in a recording, charged to the person and the room of ctx. It fails with budget.ErrCapReached
// before anything is sent.
func (h Hearing) Transcribe(ctx context.Context, r speech.Recording) (said speech.Transcript, err error) {
	heard := int(min(r.Duration(), h.Longest())/time.Second) + 1
	person, _ := ctx.Value(payerKey{}).(int64)
	room, _ := ctx.Value(roomKey{}).(int64)
	asked := budget.Reservation{
		Day: h.Meter.today(), Persona: h.Meter.Persona, PersonID: person, RoomID: room, Job: Transcribing, Model: h.Name,
		In: heard * speech.TokensPerSecond, Out: heard * mostSpoken,
		Price: budget.Price{In: h.PerMinute / (60 * speech.TokensPerSecond)}, Caps: h.Meter.Caps,
	}
	err = h.Meter.charge(ctx, asked, func() (budget.Used, error) {
		var err error
		said, err = h.Transcriber.Transcribe(ctx, r)
		used := budget.Used{Requests: said.Requests, In: asked.In, Out: min(asked.Out, tokens.Estimate(said.Text))}
		if err != nil {
			used = budget.Used{Requests: said.Requests}
		}
		return used, err
	})
	return said, err
}
