package persona

import (
	"time"

	"familiar/persona/words"
)

// quietSince returns since when the person has wanted no proactive messages, given that they said text at a time.
func quietSince(was time.Time, text string, at time.Time) time.Time {
	switch said := words.PlainApostrophe(words.Head(text)); {
	case words.WritesFirst.MatchString(said):
		return time.Time{}
	case words.NotFirst.MatchString(said) && was.IsZero():
		return at
	}
	return was
}
