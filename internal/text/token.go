package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HasToken reports whether text contains id, not as a part of a longer word or number.
func HasToken(text, id string) bool {
	inside := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		at := strings.Index(text[from:], id)
		if at < 0 || id == "" {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(id):])
		if !inside(before) && !inside(after) {
			return true
		}
		from = at + len(id)
	}
}
