package when

import (
	"strings"
	"unicode"

	"familiar/internal/text"
)

// readLimit is the number of bytes read of a text. It bounds the cost of pasted books. Messages name dates early.
const readLimit = 16 << 10

// token is a normalized word or number with its place in the text.
type token struct {
	word       string
	start, end int
	// opens reports that the token starts a sentence.
	opens bool
}

// tokenize splits the first readLimit bytes of a text into words. Digits joined by ":", "/" and "-" are one word
// ("17:30", "2023-05-07"), and so are letters joined by apostrophes and hyphens ("o'clock", "mid-may").
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

// joins reports whether mark joins the runes around it into one word.
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
