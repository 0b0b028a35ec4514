package model

import (
	"strings"
	"unicode"

	"familiar/internal/lazyregexp"
)

// terminalSequences are the sequences that tell a terminal to change colours or to move its cursor.
var terminalSequences = lazyregexp.New("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// zeroWidthJoiner makes one emoji of several; between letters it hides.
const zeroWidthJoiner = '\u200d'

// StripInvisible is a text without the characters that are not seen, so that two texts that look the same are the same. Line
// breaks and tabs stay, and the joiner where it joins no letters.
func StripInvisible(text string) string {
	if !strings.ContainsFunc(text, isInvisible) {
		return text
	}
	before := ' '
	return strings.Map(func(r rune) rune {
		if isInvisible(r) && (r != zeroWidthJoiner || unicode.IsLetter(before)) {
			return -1
		}
		before = r
		return r
	}, terminalSequences.ReplaceAllString(text, ""))
}

func isInvisible(r rune) bool {
	switch r {
	case '\n', '\r', '\t':
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
