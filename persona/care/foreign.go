package care

import (
	"strings"
	"unicode"

	"familiar/memory/lexical"
)

const (
	// foreignWords is how many words tell that a text is in a language that the rules do not know, foreignShare the
	// divisor for the share of its words that may belong to others all the same.
	foreignWords = 3
	foreignShare = 3
)

// otherLetters are letters of languages that share a script with one that the rules know.
const otherLetters = "іїєґўћђљњџѓќјѕ"

// Foreign reports whether a text is in a language that the rules do not know.
func Foreign(said string) bool {
	var kana, han, latin bool
	for _, r := range said {
		switch {
		case r < unicode.MaxASCII:
			latin = latin || unicode.IsLetter(r)
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana = true
		case unicode.Is(unicode.Han, r):
			han = true
		case unicode.In(r, unicode.Latin):
			latin = true
		case unicode.Is(unicode.Cyrillic, r):
			if strings.ContainsRune(otherLetters, unicode.ToLower(r)) {
				return true
			}
		case unicode.IsLetter(r):
			return true // no script of theirs
		}
	}
	if han && !kana {
		return true // Chinese, or a few words of Japanese
	}
	if !latin {
		return false
	}
	known, of := lexical.KnownWords(said)
	return of >= foreignWords && known*foreignShare <= of
}
