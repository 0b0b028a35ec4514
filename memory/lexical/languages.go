package lexical

import (
	"strings"
	"sync"
	"unicode"

	"familiar/internal/text"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
)

// English is the language of texts whose language is unknown.
var English = newLanguage(Language{tag: "en", stem: stemEnglish})

// languages are all supported languages, English first. Each has its word lists in tables/<tag>.txt.
var languages = [...]*Language{
	English,
	newLanguage(Language{tag: "de", stem: snowball(german.Stem), genitive: "s"}),
	newLanguage(Language{tag: "es", stem: snowball(spanish.Stem)}),
	newLanguage(Language{tag: "fr", stem: snowball(french.Stem)}),
	newLanguage(Language{tag: "pt", stem: snowball(portuguese.Stem)}),
	newLanguage(Language{tag: "it", stem: snowball(italian.Stem)}),
	newLanguage(Language{tag: "nl", stem: snowball(dutch.Stem), genitive: "s"}),
	newLanguage(Language{tag: "ru", stem: stemRussian, scripts: []*unicode.RangeTable{unicode.Cyrillic}}),
	newLanguage(Language{
		tag: "ja", stem: func(w word) string { return w.folded },
		scripts: []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana},
	}),
}

// languageCount is the number of supported languages.
const languageCount = len(languages)

// snowball returns a stemmer of the Snowball project. It reads accents, which are removed from the stem.
func snowball(stem func(*snowballstem.Env) bool) func(word) string {
	stemmer := text.Snowball(stem)
	return func(w word) string { return text.Bare(stemmer(w.written)) }
}

var snowballRussian = snowball(russian.Stem)

// stemRussian replaces ё by е, as most people write it.
func stemRussian(w word) string {
	w.written = strings.ReplaceAll(w.written, "ё", "е")
	return snowballRussian(w)
}

var snowballEnglish = text.Snowball(english.Stem)

// englishForms returns both lists of related English words: from a form to its base word, and from a stem to the stem
// that represents it.
var englishForms = sync.OnceValues(func() (baseOf, representativeOf map[string]string) {
	lists := readTable("en")
	return byForm(lists["irregular"], func(w string) string { return w }), byForm(lists["synonyms"], snowballEnglish)
})

// byForm maps each word of a group to the group's first word. Groups end in ";".
func byForm(list string, key func(string) string) map[string]string {
	m := map[string]string{}
	for group := range strings.SplitSeq(list, ";") {
		words := strings.Fields(group)
		for _, w := range words[1:] {
			m[key(w)] = key(words[0])
		}
	}
	return m
}

// stemEnglish returns the Snowball (Porter2) stem of an English word after it resolves irregular forms and synonyms.
//
// It uses the folded word, because many people omit accents in English.
func stemEnglish(w word) string {
	baseOf, representativeOf := englishForms()
	form := w.folded
	if base, known := baseOf[form]; known {
		form = base
	}
	stem := snowballEnglish(form)
	if head, known := representativeOf[stem]; known {
		return head
	}
	return stem
}
