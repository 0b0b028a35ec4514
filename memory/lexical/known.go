package lexical

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
)

// knownWords is how many words KnownWords looks at.
const knownWords = 24

// KnownWords returns how many of the first different words of a text are everyday words of a supported language, or
// written in a script that only one of them uses, and how many there are. Capitalised words inside a text do not count.
func KnownWords(said string) (known, of int) {
	var room [knownWords]string
	seen := room[:0]
	for start, end := range text.Words(said, nil) {
		w := newWord(text.Lower(said[start:end]))
		r, _ := utf8.DecodeRuneInString(said[start:])
		if slices.Contains(seen, w.folded) || unicode.IsDigit(r) || start > 0 && unicode.IsUpper(r) {
			continue
		}
		seen = append(seen, w.folded)
		of++
		if commonWords()[w.folded] != 0 || byScript(w) != nil {
			known++
		}
		if of == knownWords {
			break
		}
	}
	return known, of
}

// IsCommon reports whether a word, in lower case without accents, is an everyday word of any supported language.
func IsCommon(word string) bool { return commonWords()[word] != 0 }

// IsFunctionWord reports whether a word, in lower case without accents, is a function word of any supported language.
func IsFunctionWord(word string) bool { return clueWords()[word] != 0 }
