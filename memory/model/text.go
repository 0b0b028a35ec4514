package model

import (
	"strconv"
	"strings"
	"unicode"

	"familiar/internal/text"
)

// CleanName makes a name fit to be stored and shown among other people's names. It removes control characters, line
// ends, zero-width and bidirectional marks, collapses white space, and keeps at most MaxName runes. It may return "".
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

// NormalizeValue returns the form in which different spellings of a value are equal: lower case, words separated by one
// space, without punctuation and without a leading article. "The Eiffel-Tower!" and "eiffel tower" become the same.
// Symbols stay, so that "C++" and "C#" differ from "C".
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

// ContainsWords reports whether whole contains the words of part next to each other. Both must be normalized.
func ContainsWords(whole, part string) bool {
	return part != "" && strings.Contains(" "+whole+" ", " "+part+" ")
}

// CleanText makes a text valid UTF-8 without NUL bytes, at which SQLite's text functions would stop.
func CleanText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// MaxName is the maximum length of a stored name in runes. A longer name would only push other people's text aside.
const MaxName = 64

// SubjectKey returns the key that beliefs about the same subject share: the ID of a known person, otherwise the
// normalized name.
func SubjectKey(person int64, subject string) string {
	if person != 0 {
		return "#" + strconv.FormatInt(person, 10)
	}
	return NormalizeValue(strings.TrimPrefix(subject, "#"))
}
