package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// manyNames is how many names in one turn are as good as more.
const manyNames = 2

// names counts the names text holds, up to manyNames: words with a capital inside a sentence, and what stands in
// quotation marks. A capital after a comma is mostly whom the turn speaks to, and at the start of a sentence it means
// nothing.
func (l *Language) names(text string) uint8 {
	if l.asksWho == nil {
		return 0
	}
	n := strings.Count(text, `"`) / 2
	for i, r := range text {
		if n >= manyNames {
			return manyNames
		}
		if unicode.IsUpper(r) && leadsOn(text[:i]) && goesOn(text[i+utf8.RuneLen(r):]) {
			n++
		}
	}
	return uint8(min(n, manyNames))
}

// leadsOn says that a new word after before stands within the same sentence.
func leadsOn(before string) bool {
	words := strings.TrimRightFunc(before, unicode.IsSpace)
	r, _ := utf8.DecodeLastRuneInString(words)
	return len(words) < len(before) && (unicode.IsLower(r) || r == ';' || r == ':' || r == '&')
}

// goesOn says that a word has more letters: "I" is no name.
func goesOn(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r)
}

// opening is how many words of a question tell what it asks for.
const opening = 3

// asksName says that a question's answer is a name: "who …", "in which …", "what book …", "what is the name of …".
func (l *Language) asksName(words []word) bool {
	for i, w := range words[:min(opening, len(words))] {
		if l.asksWho[w.folded] {
			return true
		}
		if l.asksWhat[w.folded] && i+1 < len(words) {
			return !l.verbs[words[i+1].folded] || slices.ContainsFunc(words, func(w word) bool { return w.folded == "name" })
		}
	}
	return false
}
