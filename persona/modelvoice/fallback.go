package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"familiar/memory/budget"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// Fallback is primary, with plain to step in: when primary fails, plain answers the same scene once, and Speech.Fault
// tells the operator why. When ctx ends instead, what primary had said until then stands.
//
// Somebody who speaks of ending their life is answered by plain alone: those words are fixed, and no model's.
func Fallback(primary, plain scene.Voice) scene.Voice { return fallback{primary, plain} }

type fallback struct{ primary, plain scene.Voice }

// Name returns the primary voice's.
func (f fallback) Name() string { return f.primary.Name() }

// Reply implements Voice.
func (f fallback) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	if s.InNeed() != "" {
		return f.plain.Reply(ctx, s, show)
	}
	speech, err := f.primary.Reply(ctx, s, show)
	if err == nil || ctx.Err() != nil {
		return speech, err
	}
	instead, failed := f.plain.Reply(ctx, s, show)
	if failed != nil {
		return instead, fmt.Errorf("speak: %w; and the %s voice in its place: %w", err, f.plain.Name(), failed)
	}
	instead.Fault = faultLine(err)
	return instead, nil
}

// failureKind is the kind of a fault: all that a room may know of it. The rest names hosts and settings of the operator's.
type failureKind string

// The lapses.
const (
	overCap    failureKind = "over the cap"
	wordless   failureKind = "nothing to say"
	unanswered failureKind = "no answer"
)

// inWords says each lapse to a room.
var inWords = map[failureKind]string{
	overCap:    "what the model may be used for in a day is used up",
	wordless:   "the model found nothing to say",
	unanswered: "the model did not answer",
}

func failureKindOf(err error) failureKind {
	switch {
	case errors.Is(err, budget.ErrCapReached):
		return overCap
	case errors.Is(err, ErrEmptyReply):
		return wordless
	}
	return unanswered
}

// faultRunes is how much of an error is kept with the turn.
const faultRunes = 400

// faultLine returns a fault as it is kept with the turn, for the operator: its lapse, then the error's text on one
// line.
func faultLine(err error) string {
	phrase := strings.FieldsFunc(err.Error(), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return string(failureKindOf(err)) + ": " + words.Cut(strings.Join(phrase, " "), faultRunes)
}

// FaultForRoom returns a kept fault in words fit for any room: nothing but its lapse.
func FaultForRoom(fault string) string {
	kind, _, _ := strings.Cut(fault, ": ")
	if words, known := inWords[failureKind(kind)]; known {
		return words
	}
	return inWords[unanswered]
}
