// Package naming finds the people of a store that a text names. When in doubt a text names somebody: what rests on it leaves out
// rather than tells.
package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/memory/lexical"
)

// Names are what people are called.
type Names struct {
	// kept are words of names that name nobody.
	kept map[string]bool
	// phrases are the names by their first word, the longest first.
	phrases map[string][]phrase
	// unspaced are names in scripts that do not put spaces between words, the longest first.
	unspaced []phrase
}

// phrase is a name as words in lower case without accents.
type phrase struct {
	words   []string
	written string
	form    form
	person  int64
}

// form is how a phrase must be written to name somebody.
type form int

const (
	anyCase form = iota
	// capital is for short parts of names and for function words, as in "Will": only with a capital, an "@" or a possessive.
	capital
	// mention is for accounts without a letter: only behind an "@".
	mention
)

// New returns names of nobody. The words of the names in kept name nobody.
func New(kept ...string) *Names {
	n := &Names{kept: map[string]bool{}, phrases: map[string][]phrase{}}
	for _, name := range kept {
		for w := range text.PlainWords(name) {
			n.kept[w] = true
		}
	}
	return n
}

// Kept reports whether a word is of the names that name nobody.
func (n *Names) Kept(word string) bool { return n.kept[text.Plain(word)] }

// The letters that a part of a name has at least to stand for the whole. Names in Chinese characters and Hangul are short.
const (
	shortestPart = 2
	// shortestAnyCase is for a part in small letters.
	shortestAnyCase = 3
	// shortestUnspaced is for a part in another script without spaces.
	shortestUnspaced = 3
)

// Add adds a name and each of its parts.
func (n *Names) Add(person int64, name string) {
	n.addWhole(person, name, anyCase)
	for start, end := range text.Words(name, nil) {
		part := name[start:end]
		letters := utf8.RuneCountInString(part)
		if !hasLetter(part) || letters < shortestPart {
			continue
		}
		how := anyCase
		if letters < shortestAnyCase {
			how = capital
		}
		if start > 0 && startsSmall(part) && (how == capital || lexical.IsFunctionWord(text.Plain(part))) {
			continue // "von", "de la"
		}
		if strings.ContainsFunc(part, isUnspaced) {
			n.addUnspacedParts(person, part)
		}
		n.addWhole(person, part, how)
	}
}

// AddAccount adds the id of an account. One without a letter is a name only where somebody mentions it.
func (n *Names) AddAccount(person int64, id string) {
	local, _, _ := strings.Cut(id, "@")
	how := anyCase
	if !hasLetter(local) {
		how = mention
	}
	if how == anyCase {
		n.addWhole(person, id, how)
	}
	n.addWhole(person, local, how)
}

// AddRelative adds the name of somebody's relative, unless it is that of somebody known.
func (n *Names) AddRelative(person int64, name string) {
	for w := range text.PlainWords(name) {
		if len(n.phrases[w]) > 0 {
			return
		}
		break
	}
	n.addWhole(person, name, anyCase)
}

// addWhole adds a name, which must have a letter unless it is a mention.
func (n *Names) addWhole(person int64, name string, how form) {
	name = strings.TrimSpace(name)
	p := phrase{person: person, written: name, form: how}
	function, kept := true, true
	for w := range text.PlainWords(name) {
		p.words = append(p.words, w)
		function, kept = function && lexical.IsFunctionWord(w), kept && n.kept[w]
	}
	switch {
	case len(p.words) == 0 || kept || how != mention && (!hasLetter(name) || utf8.RuneCountInString(name) < 2):
		return
	case strings.ContainsFunc(name, isUnspaced):
		n.addUnspaced(p)
		return
	case function && how == anyCase:
		p.form = capital
	}
	for _, o := range n.phrases[p.words[0]] {
		if o.person == person && slices.Equal(o.words, p.words) && o.form == p.form {
			return
		}
	}
	n.phrases[p.words[0]] = longestFirst(n.phrases[p.words[0]], p)
}

func (n *Names) addUnspaced(p phrase) {
	if !slices.ContainsFunc(n.unspaced, func(o phrase) bool { return o.person == p.person && o.written == p.written }) {
		n.unspaced = longestFirst(n.unspaced, p)
	}
}

// addUnspacedParts adds what may be the family name or the given name: nothing shows where one ends.
func (n *Names) addUnspacedParts(person int64, name string) {
	runes, shortest := []rune(name), shortestUnspaced
	if !strings.ContainsFunc(name, func(r rune) bool { return !unicode.In(r, unicode.Han, unicode.Hangul) }) {
		shortest = shortestPart
	}
	for i := 1; i < len(runes); i++ {
		for _, part := range [][]rune{runes[:i], runes[i:]} {
			if len(part) >= shortest {
				n.addUnspaced(phrase{person: person, written: string(part)})
			}
		}
	}
}

// longestFirst adds a phrase behind those that are as long.
func longestFirst(all []phrase, p phrase) []phrase {
	at := slices.IndexFunc(all, func(o phrase) bool { return len(o.written) < len(p.written) })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, p)
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

func startsSmall(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// isUnspaced reports whether a rune belongs to a script that does not put spaces between words, or joins particles to names.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
