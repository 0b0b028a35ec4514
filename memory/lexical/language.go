package lexical

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"familiar/internal/text"
)

// Language is what search needs to know about a language. A new language is a line in languages and a file of word
// lists in tables/.
type Language struct {
	// tag is the BCP 47 primary subtag, nth the index in languages.
	tag string
	nth int
	// scripts are the scripts that only this language uses.
	scripts []*unicode.RangeTable
	// stem returns the form that the inflections of a word share, folded.
	stem func(word) string
	// genitive is the ending of a name in the genitive, if it takes no apostrophe.
	genitive string
	// lists returns the word lists, which are parsed on first use.
	lists func() *wordLists
}

// wordLists are the words of a language with a meaning for search. All are folded.
type wordLists struct {
	// stop are function words. They are neither indexed nor searched for, but identify the language of a text.
	stop map[string]bool
	// common are words of everyday talk, which identify the language of a text that stands alone.
	common map[string]bool
	// times are words for times, numbers words for numbers. Digits are always numbers.
	times, numbers map[string]bool
	// asksWhen and asksHowMany are phrases in questions about a time or a number.
	asksWhen, asksHowMany [][]string
	// firstPerson are the words that refer to the speaker, firstSubject those of them that are subjects.
	firstPerson, firstSubject map[string]bool
	// secondPerson are the subjects that refer to the person addressed, yours what else refers to them. speech are forms
	// of verbs of speaking, youSaid those that need no subject. All are empty if a question what the persona said is not
	// recognised in the language.
	secondPerson, yours, speech, youSaid map[string]bool
	// asksWho start questions about a name. asksWhat do so before a noun, which verbs are not. All are empty if capital
	// letters do not mark names in the language.
	asksWho, asksWhat, verbs map[string]bool
}

//go:embed tables/*.txt
var tables embed.FS

// readTable returns the word lists in tables/<tag>.txt by name.
func readTable(tag string) map[string]string {
	data, err := tables.ReadFile("tables/" + tag + ".txt")
	if err != nil {
		panic(err) // the files are embedded: a test reads each
	}
	return text.Lists(string(data))
}

// newLanguage returns l with its word lists.
func newLanguage(l Language) *Language {
	l.lists = sync.OnceValue(func() *wordLists {
		t := readTable(l.tag)
		return &wordLists{
			stop: set(t["stop"]), times: set(t["times"]), common: set(t["common"]), numbers: set(t["numbers"]), firstPerson: set(t["first person"]),
			asksWhen: phrases(t["asks when"]), asksHowMany: phrases(t["asks how many"]),
			firstSubject: set(t["first subject"]), secondPerson: set(t["second person"]), yours: set(t["yours"]),
			speech: set(t["speech"]), youSaid: set(t["you said"]),
			asksWho: set(t["asks who"]), asksWhat: set(t["asks what"]), verbs: set(t["verbs"]),
		}
	})
	return &l
}

// Languages returns all supported languages, English first.
func Languages() []*Language { return slices.Clone(languages[:]) }

func init() {
	for i, l := range languages {
		l.nth = i
	}
}

// Named returns the language of a BCP 47 tag such as "de" or "pt-BR", English if it is not supported.
func Named(tag string) *Language {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	for _, l := range languages {
		if l.tag == primary {
			return l
		}
	}
	return English
}

// Tag returns the language's BCP 47 primary subtag.
func (l *Language) Tag() string { return l.tag }

// set returns the words of a list, folded.
func set(list string) map[string]bool {
	words := strings.Fields(text.Plain(list))
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// phrases returns the folded words of each phrase. Phrases are separated by commas.
func phrases(list string) [][]string {
	var split [][]string
	for p := range strings.SplitSeq(list, ",") {
		split = append(split, slices.Collect(Words(p)))
	}
	return split
}

// bytesPerTerm is about how many bytes of a text there are for each content term.
const bytesPerTerm = 8

// Terms returns the content terms of text in order, stemmed, without stop words. An index stores these of a text.
func (l *Language) Terms(said string) []string {
	terms := make([]string, 0, len(said)/bytesPerTerm)
	stop := l.lists().stop
	for w := range words(said) {
		if !stop[w.folded] {
			terms = append(terms, l.stem(w))
		}
	}
	return terms
}

// Stem returns the form that the inflections of a word share, without accents, and whether the word is a function word, which
// no index stores. A word is a run of letters, digits and marks in any case.
func (l *Language) Stem(written string) (stem string, function bool) {
	w := newWord(text.Lower(written))
	return l.stem(w), l.lists().stop[w.folded]
}

// isNumber reports whether word is a number.
func (l *Language) isNumber(word string) bool {
	return word[0] >= '0' && word[0] <= '9' || l.lists().numbers[word]
}

// asks reports whether words contain one of the phrases.
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
