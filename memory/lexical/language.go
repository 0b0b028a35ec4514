package lexical

import (
	"slices"
	"strings"

	"familiar/internal/text"

	"github.com/blevesearch/snowballstem"
)

// Language is what reading a text for recall must know of its language. It is a value: another language is another
// Language in a file of its own and a line in languages, and nothing else changes.
type Language struct {
	// tag is the BCP 47 primary subtag, nth the place in languages.
	tag string
	nth int
	// script says that a letter is written in this language and in none of the others.
	script func(r rune) bool
	// stop are the words that carry grammar rather than content; they are neither indexed nor asked for. They are also
	// what a text's language is told by.
	stop map[string]bool
	// stem takes a word to the form its inflections share, folded.
	stem func(word) string
	// genitive is what a name that owns something ends in, where it takes no apostrophe.
	genitive string
	// times are words that place something in time, numbers those that count; digits always count.
	times, numbers map[string]bool
	// asksWhen and asksHowMany open or contain questions after a time or a number, as folded words.
	asksWhen, asksHowMany [][]string
	// first are the words with which a speaker means themselves.
	first map[string]bool
	// asksWho open questions whose answer is a name. asksWhat does when a noun follows, which verbs are not. Both are
	// nil for a language whose names cannot be told by their capitals.
	asksWho, asksWhat, verbs map[string]bool
}

// languages are all that are read. English is first: it is what a text of an unknown language is read as.
var languages = [...]*Language{English, german, spanish, french, portuguese, italian, dutch, russian, japanese}

// languageCount is how many languages are read.
const languageCount = len(languages)

// Languages are all the languages that are read, English first.
func Languages() []*Language { return slices.Clone(languages[:]) }

func init() {
	for i, l := range languages {
		l.nth = i
	}
}

// Named is the language of a BCP 47 tag such as "de" or "pt-BR", English when it is not one of those read.
func Named(tag string) *Language {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	for _, l := range languages {
		if l.tag == primary {
			return l
		}
	}
	return English
}

// Tag is the language's BCP 47 primary subtag.
func (l *Language) Tag() string { return l.tag }

// set is a set of words, folded.
func set(lists ...string) map[string]bool {
	words := strings.Fields(text.Plain(strings.Join(lists, " ")))
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// phrases are the folded words of each phrase.
func phrases(all ...string) [][]string {
	split := make([][]string, len(all))
	for i, p := range all {
		split[i] = slices.Collect(Words(p))
	}
	return split
}

// snowball stems with one of the Snowball project's stemmers. They read accents, which fall off afterwards.
func snowball(stem func(*snowballstem.Env) bool) func(word) string {
	stemmer := text.Snowball(stem)
	return func(w word) string { return text.Bare(stemmer(w.written)) }
}

// bytesPerTerm is about how many bytes of a text there are for each content term.
const bytesPerTerm = 8

// Terms are the content terms of text in order, stemmed, without stop words. It is what an index keeps of a text.
func (l *Language) Terms(said string) []string {
	terms := make([]string, 0, len(said)/bytesPerTerm)
	for w := range words(said) {
		if !l.stop[w.folded] {
			terms = append(terms, l.stem(w))
		}
	}
	return terms
}

// counts says that word is a number.
func (l *Language) counts(word string) bool {
	return word[0] >= '0' && word[0] <= '9' || l.numbers[word]
}

// asks says that one of the phrases stands in words.
func asks(words []word, phrases [][]string) bool {
	for i := range words {
		for _, p := range phrases {
			if hasAt(words, i, p) {
				return true
			}
		}
	}
	return false
}

func hasAt(words []word, at int, phrase []string) bool {
	if at+len(phrase) > len(words) {
		return false
	}
	for i, w := range phrase {
		if words[at+i].folded != w {
			return false
		}
	}
	return true
}
