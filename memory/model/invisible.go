package model

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// terminalSequences matches the escape sequences that change a terminal's colours or move its cursor.
var terminalSequences = lazyregexp.New("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// zeroWidthJoiner joins several emoji into one. Between letters it is invisible.
const zeroWidthJoiner = '\u200d'

// StripInvisible returns text without invisible characters, so that texts that look the same are equal. It keeps line
// breaks and tabs, and the zero-width joiner unless it follows a letter.
func StripInvisible(text string) string {
	if !hidesSomething(text) {
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

// hidesSomething reports whether text contains an invisible character.
func hidesSomething(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b >= utf8.RuneSelf:
			return strings.ContainsFunc(text[i:], isInvisible)
		case b < ' ' && b != '\n' && b != '\r' && b != '\t' || b == 0x7f:
			return true
		}
	}
	return false
}

func isInvisible(r rune) bool {
	switch r {
	case '\n', '\r', '\t':
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
