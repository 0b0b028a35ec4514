package modelvoice

import (
	"context"

	"familiar/internal/speech"
	"familiar/internal/tokens"
	"familiar/memory/budget"
	"familiar/memory/lexical"
)

// SpeakingJob is the job of spoken replies in the ledger.
const SpeakingJob = "speak"

// Speaking charges what a server says aloud to the caps: the tokens of the text.
type Speaking struct {
	*speech.Synthesizer
	Meter Meter
	// Name is the model's name in the ledger, Price what a token of the text costs, 0 if that is unknown.
	Name  string
	Price budget.Price
}

// Speak returns a text as it is said, charged to the person and the room of ctx. It fails with budget.ErrCapReached before anything
// is sent.
func (s Speaking) Speak(ctx context.Context, text, language string) (note speech.VoiceNote, err error) {
	person, _ := ctx.Value(payerKey{}).(int64)
	room, _ := ctx.Value(roomKey{}).(int64)
	asked := budget.Reservation{
		Day: s.Meter.today(), Persona: s.Meter.Persona, PersonID: person, RoomID: room, Job: SpeakingJob, Model: s.Name,
		In: tokens.Estimate(text), Price: s.Price, Caps: s.Meter.Caps,
	}
	err = s.Meter.charge(ctx, asked, func() (budget.Used, error) {
		var err error
		note, err = s.Synthesizer.Speak(ctx, text, language)
		used := budget.Used{Requests: note.Requests, In: asked.In}
		if err != nil {
			used.In = 0
		}
		return used, err
	})
	return note, err
}

// LanguageOf returns the language of a text as a tag, "" if it cannot be told.
func LanguageOf(text string) string { return lexical.Detect(text).Tag() }
