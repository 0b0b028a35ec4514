package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// escapes matches the escape sequences that change a terminal's colours.
var escapes = lazyregexp.New("\x1b\\[[0-9;?]*[A-Za-z]")

// Legible returns a text as its reader sees it: without invisible characters inside words (zero-width and direction
// marks, control characters, terminal colours), and with U+FFFD for invalid bytes, so that neither splits a name.
func Legible(text string) string {
	text = text[:min(len(text), ReadLimit)]
	if utf8.ValidString(text) && !strings.ContainsFunc(text, invisible) {
		return text
	}
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, string(utf8.RuneError)), "")
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, text)
}

// invisible reports whether a character is not displayed and does not separate words.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}
