package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// escapes are the sequences with which a terminal is told to change its colours.
var escapes = lazyregexp.New("\x1b\\[[0-9;?]*[A-Za-z]")

// Legible is a text as its reader sees it: without what is invisible inside words (zero-width and direction marks,
// control characters, a terminal's colours), and with a sign in the place of bytes that are no text, so that a name is
// never cut where they stand.
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

// invisible says that a character shows nothing and divides no words.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}
