package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// manyNames is the number of names in one turn beyond which more do not count.
const manyNames = 2

// names counts the names in text, up to manyNames: capitalized words inside a sentence and quoted phrases. A capital
// after a comma mostly marks the person addressed, and at the start of a sentence it means nothing.
func (l *Language) names(text string) uint8 {
	if len(l.lists().asksWho) == 0 {
		return 0
	}
	n := strings.Count(text, `"`) / 2
	for i, r := range text {
		if n >= manyNames {
			return manyNames
		}
		if unicode.IsUpper(r) && isInsideSentence(text[:i]) && startsWithLetter(text[i+utf8.RuneLen(r):]) {
			n++
		}
	}
	return uint8(min(n, manyNames))
}

// isInsideSentence reports whether a new word after before is within the same sentence.
func isInsideSentence(before string) bool {
	words := strings.TrimRightFunc(before, unicode.IsSpace)
	r, _ := utf8.DecodeLastRuneInString(words)
	return len(words) < len(before) && (unicode.IsLower(r) || r == ';' || r == ':' || r == '&')
}

// startsWithLetter reports whether a word has more letters: "I" is no name.
func startsWithLetter(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r)
}

// opening is the number of words that determine what a question asks for.
const opening = 3

// asksName reports whether the answer to a question is a name: "who …", "in which …", "what book …", "what is the name
// of …".
func (l *Language) asksName(words []word) bool {
	lists := l.lists()
	for i, w := range words[:min(opening, len(words))] {
		if lists.asksWho[w.folded] {
			return true
		}
		if lists.asksWhat[w.folded] && i+1 < len(words) {
			return !lists.verbs[words[i+1].folded] || slices.ContainsFunc(words, func(w word) bool { return w.folded == "name" })
		}
	}
	return false
}
