package when

import (
	"strings"
	"unicode"

	"familiar/internal/text"
)

// readLimit is how many bytes of a text are read: a message that names a date names it early, and a pasted book
// must not cost more than a letter.
const readLimit = 16 << 10

// token is a word or number of the text, folded, with its place.
type token struct {
	word       string
	start, end int
	// opens says that a sentence ended just before it.
	opens bool
}

// tokenize cuts the first readLimit bytes of a text into words. Digits stay together over ":", "/" and "-"
// ("17:30", "2023-05-07"), letters over apostrophes and hyphens ("o'clock", "mid-may").
func tokenize(said string) []token {
	said = said[:min(len(said), readLimit)]
	toks := make([]token, 0, len(said)/5+1)
	end := 0
	for t := range text.Tokens(said, joins) {
		opens := end == 0 || strings.ContainsAny(said[end:t.Start], ".!?;\n…")
		toks = append(toks, token{word: t.Norm, start: t.Start, end: t.End, opens: opens})
		end = t.End
	}
	return toks
}

// joins says whether mark holds the runes around it together as one word.
func joins(before, mark, after rune) bool {
	switch mark {
	case '\'', '’', 'ʼ':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '-':
		return text.IsWord(before) && text.IsWord(after)
	case ':', '/':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '.':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}
