// Package wordform knows what words are made of and how they are compared.
package wordform

import (
	"strings"
	"unicode"
)

// Has says that a rune is part of a word: a letter, a digit or a mark on one.
func Has(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// plain makes apostrophes, however they are typed, the one on a keyboard.
var plain = strings.NewReplacer("’", "'", "ʼ", "'", "`", "'")

// Fold is a word in lower case with plain apostrophes.
func Fold(word string) string {
	word = strings.ToLower(word)
	if strings.ContainsAny(word, "’ʼ`") {
		word = plain.Replace(word)
	}
	return word
}
