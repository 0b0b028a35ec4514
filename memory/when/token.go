package when

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/wordform"
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

// tokenize cuts the first readLimit bytes of text into words. Digits stay together over ":", "/" and "-"
// ("17:30", "2023-05-07"), letters over apostrophes and hyphens ("o'clock", "mid-may").
func tokenize(text string) []token {
	if len(text) > readLimit {
		text = text[:readLimit]
	}
	toks := make([]token, 0, len(text)/5+1)
	opens := true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordform.Has(r) {
			opens = opens || strings.ContainsRune(".!?;\n…", r)
			i += size
			continue
		}
		end := wordEnd(text, i)
		toks = append(toks, token{word: wordform.Fold(text[i:end]), start: i, end: end, opens: opens})
		opens, i = false, end
	}
	return toks
}

// wordEnd is where the word that starts at i ends.
func wordEnd(text string, i int) int {
	var last rune
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordform.Has(r) {
			next, _ := utf8.DecodeRuneInString(text[min(i+size, len(text)):])
			if !joins(last, r, next) {
				break
			}
		}
		last, i = r, i+size
	}
	return i
}

// joins says whether mark holds the runes around it together as one word.
func joins(before, mark, after rune) bool {
	switch mark {
	case '\'', '’', 'ʼ':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '-':
		return wordform.Has(before) && wordform.Has(after)
	case ':', '/':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '.':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}
