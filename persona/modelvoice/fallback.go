package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"familiar/memory/budget"
	"familiar/persona/care"
	"familiar/persona/scene"
	"familiar/persona/words"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// Fallback returns a voice that answers with primary and falls back to plain. If primary fails, plain answers the same
// scene once, and Reply.Fault tells the operator why. If ctx ends instead, the text so far stands. Someone who speaks
// of ending their life is answered by plain alone, whose words for that are fixed.
func Fallback(primary, plain scene.Voice) scene.Voice { return fallback{primary, plain} }

type fallback struct{ primary, plain scene.Voice }

// Name returns the name of the primary voice.
func (f fallback) Name() string { return f.primary.Name() }

// Reply implements scene.Voice.
func (f fallback) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	if danger, language := s.InDanger(); danger == care.Self && language != "" {
		return f.plain.Reply(ctx, s, show)
	}
	speech, err := f.primary.Reply(ctx, s, show)
	if err == nil || ctx.Err() != nil {
		return withReach(speech, s, show), err
	}
	instead, failed := f.plain.Reply(ctx, s, show)
	if failed != nil {
		return instead, fmt.Errorf("speak: %w; and the %s voice in its place: %w", err, f.plain.Name(), failed)
	}
	instead.Fault = faultLine(err)
	return instead, nil
}

// prompter is a voice that asks a model.
type prompter interface {
	Prompt(s scene.Scene) prompts.Prompt
}

// PromptOf returns the prompt with which a voice would ask its model about a scene. Of a voice that asks none, it is one of
// budget tokens.
func PromptOf(v scene.Voice, s scene.Scene, budget int) prompts.Prompt {
	switch voice := v.(type) {
	case prompter:
		return voice.Prompt(s)
	case fallback:
		return PromptOf(voice.primary, s, budget)
	case informing:
		return PromptOf(voice.Voice, s, budget)
	}
	return prompts.Reply(ReplyInput(s, budget))
}

// failureKind is the kind of a fault. A room may learn only this; the rest names the operator's hosts and settings.
type failureKind string

// The kinds of failures.
const (
	overCap      failureKind = "over the cap"
	overMonthCap failureKind = "over the month's cap"
	notAllowed   failureKind = "not allowed"
	wordless     failureKind = "nothing to say"
	unanswered   failureKind = "no answer"
	unfit        failureKind = "unfit answer"
)

// inWords words each kind of failure for a room.
var inWords = map[failureKind]string{
	overCap:      "what the model may be used for in a day is used up",
	overMonthCap: "what the model may be used for in a month is used up",
	notAllowed:   "the model may not be used here",
	wordless:     "the model found nothing to say",
	unanswered:   "the model did not answer",
	unfit:        "the model gave no answer that could be said",
}

func failureKindOf(err error) failureKind {
	var reached *budget.CapError
	switch {
	case errors.As(err, &reached) && reached.Cap == budget.Never:
		return notAllowed
	case errors.As(err, &reached) && reached.Monthly:
		return overMonthCap
	case errors.Is(err, budget.ErrCapReached):
		return overCap
	case errors.Is(err, ErrEmptyReply):
		return wordless
	case answer.IsUnusable(err), errors.Is(err, ErrForbidden):
		return unfit
	}
	return unanswered
}

// faultRunes is how much of an error is stored with the turn.
const faultRunes = 400

// faultLine returns a fault as it is stored with the turn, for the operator: the kind, then the error's text on one
// line.
func faultLine(err error) string {
	phrase := strings.FieldsFunc(err.Error(), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return string(failureKindOf(err)) + ": " + words.Cut(strings.Join(phrase, " "), faultRunes)
}

// kindOf returns the kind of a stored fault.
func kindOf(fault string) failureKind {
	kind, _, _ := strings.Cut(fault, ": ")
	return failureKind(kind)
}

// FaultForRoom words a stored fault for a room: only its kind.
func FaultForRoom(fault string) string {
	if words, known := inWords[kindOf(fault)]; known {
		return words
	}
	return inWords[unanswered]
}
