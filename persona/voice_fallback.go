package persona

import (
	"context"
	"fmt"
	"strings"
	"unicode"
)

// Fallback is primary, with plain to step in: when primary fails, plain answers the same scene once, and Speech.Fault
// says why. When ctx ends instead, what primary had said until then stands.
//
// Somebody who speaks of ending their life is answered by plain alone: those words are fixed, and no model's.
func Fallback(primary, plain Voice) Voice { return fallback{primary, plain} }

type fallback struct{ primary, plain Voice }

// Name is the primary voice's.
func (f fallback) Name() string { return f.primary.Name() }

// Speak implements Voice.
func (f fallback) Speak(ctx context.Context, s Scene, show func(soFar string)) (Speech, error) {
	if newSpeaking(s).inNeed() != "" {
		return f.plain.Speak(ctx, s, show)
	}
	speech, err := f.primary.Speak(ctx, s, show)
	if err == nil || ctx.Err() != nil {
		return speech, err
	}
	instead, failed := f.plain.Speak(ctx, s, show)
	if failed != nil {
		return instead, fmt.Errorf("speak: %w; and the %s voice in its place: %w", err, f.plain.Name(), failed)
	}
	instead.Fault = faultLine(err.Error())
	return instead, nil
}

// faultRunes is how much of an error is kept with the turn.
const faultRunes = 400

// faultLine is an error's text on one line.
func faultLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	return cut(text, faultRunes)
}
