package model

import (
	"strings"
	"unicode"

	"familiar/internal/text"
)

// CleanName makes a name fit to be stored and shown among other people's: control characters, line ends, zero-width
// and bidirectional marks are gone, runs of white space are one space, and at most 64 runes are left. It may return "".
func CleanName(name string) string {
	var b strings.Builder
	runes, space := 0, false
	for _, r := range strings.ToValidUTF8(name, "") {
		if unicode.IsSpace(r) {
			space = runes > 0
			continue
		}
		if !unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			continue
		}
		if space && runes < MaxName-1 {
			b.WriteByte(' ')
			runes++
		}
		if runes == MaxName {
			break
		}
		b.WriteRune(r)
		runes++
		space = false
	}
	return strings.TrimRight(b.String(), " ")
}

// foldValue is what two ways of writing the same value share: lower case, words separated by one space, no punctuation
// and no article in front: "The Eiffel-Tower!" and "eiffel tower" are one value. Symbols stay, so that "C++" and "C#"
// differ from "C".
func NormalizeValue(v string) string {
	words := strings.FieldsFunc(strings.ToLower(v), func(r rune) bool {
		return !text.IsWord(r) && !unicode.IsSymbol(r) && r != '#'
	})
	for len(words) > 1 && (words[0] == "the" || words[0] == "a" || words[0] == "an") {
		words = words[1:]
	}
	if len(words) == 0 {
		return strings.TrimSpace(v)
	}
	return strings.Join(words, " ")
}

// holdsWords says that the words of part stand side by side in whole; both are folded.
func ContainsWords(whole, part string) bool {
	return part != "" && strings.Contains(" "+whole+" ", " "+part+" ")
}

// clean makes a text valid UTF-8 without NUL, at which SQLite's own text functions would stop.
func CleanText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
