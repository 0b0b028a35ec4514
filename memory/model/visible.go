package model

import (
	"strings"
	"unicode"

	"familiar/internal/lazyregexp"
)

// terminalSigns are the sequences that tell a terminal to change colours or to move its cursor.
var terminalSigns = lazyregexp.New("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// joiner makes one emoji of several; between letters it hides.
const joiner = '\u200d'

// Visible is a text without the characters that are not seen, so that two texts that look the same are the same. Line
// breaks and tabs stay, and the joiner where it joins no letters.
func Visible(text string) string {
	if !strings.ContainsFunc(text, unseen) {
		return text
	}
	before := ' '
	return strings.Map(func(r rune) rune {
		if unseen(r) && (r != joiner || unicode.IsLetter(before)) {
			return -1
		}
		before = r
		return r
	}, terminalSigns.ReplaceAllString(text, ""))
}

func unseen(r rune) bool {
	switch r {
	case '\n', '\r', '\t':
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
