package lexical

import (
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
)

// KnownWords returns how many of the first different words of a text are everyday words of a supported language, or
// written in a script that only one of them uses, and how many there are. Capitalised words inside a text do not count.
func KnownWords(said string) (known, of int) {
	seen := map[string]bool{}
	for start, end := range text.Words(said, nil) {
		w := newWord(text.Lower(said[start:end]))
		r, _ := utf8.DecodeRuneInString(said[start:])
		if seen[w.folded] || unicode.IsDigit(r) || start > 0 && unicode.IsUpper(r) {
			continue
		}
		seen[w.folded] = true
		of++
		if commonWords()[w.folded] != 0 || byScript(w) != nil {
			known++
		}
		if of == detectionWords {
			break
		}
	}
	return known, of
}
