package lexical

import (
	"maps"
	"math/bits"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
)

// languageSet is a set of languages with one bit per language.
type languageSet uint16

// all is the set of all languages.
const all languageSet = 1<<languageCount - 1

func (l *Language) bit() languageSet { return 1 << l.nth }

func (s languageSet) has(l *Language) bool { return s&l.bit() != 0 }

// each yields the languages of the set in order.
func (s languageSet) each(yield func(*Language) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(languages[bits.TrailingZeros16(uint16(s))]) {
			return
		}
	}
}

// clueWords maps function words and time words to the languages they belong to.
var clueWords = sync.OnceValue(func() map[string]languageSet {
	m := map[string]languageSet{}
	for i, l := range languages {
		for _, words := range []map[string]bool{l.lists().stop, l.lists().times} {
			for w := range words {
				m[w] |= 1 << i
			}
		}
	}
	return m
})

// tally holds a count per language.
type tally [languageCount]int32

func (t *tally) add(more *tally) {
	for i, n := range more {
		t[i] += n
	}
}

// most returns the language with the highest count, or otherwise when all counts are 0.
func (t *tally) most(fallback *Language) *Language {
	best := fallback
	for i, n := range t {
		if n > t[best.nth] {
			best = languages[i]
		}
	}
	return best
}

// commonShare sets the minimum share of texts, one in commonShare, for a language to count as used in a conversation.
// It excludes an occasional title or greeting.
const commonShare = 50

// used returns the languages that the conversation uses, where t counts its texts per language.
func (t *tally) used() (in languageSet) {
	var sum int32
	for _, n := range t {
		sum += n
	}
	for i, n := range t {
		if n > 0 && n*commonShare >= sum {
			in |= languages[i].bit()
		}
	}
	return in
}

const (
	// detectionWords is the number of words that detection reads. Reading more does not improve the result.
	detectionWords = 64
	// scriptWeight is the weight of a word in a script that only one language uses, against 1 for a function word. One
	// such word is enough.
	scriptWeight = 2
	// sureCount is the number of function words that decide a language. Another language must also have that many more
	// than English, because names, titles and loan words carry function words into English ("Los Angeles", "El Niño").
	sureCount = 2
)

// clue is a word with its evidence for the language of the text.
type clue struct {
	word
	// in contains the languages in which the word is a function word or time word, or the one language that uses its
	// script.
	in     languageSet
	script bool
}

func clueOf(w word) clue {
	if l := byScript(w); l != nil {
		return clue{word: w, in: l.bit(), script: true}
	}
	return clue{word: w, in: clueWords()[w.folded]}
}

func cluesOf(text []word) []clue {
	all := make([]clue, len(text))
	for i, w := range text {
		all[i] = clueOf(w)
	}
	return all
}

// evidence counts how many different words of text point to each language.
func evidence(text []clue) (t tally) {
	var room [detectionWords]string // on the stack, because every added text passes through here
	counted := room[:0]
	for i := range text[:min(len(text), detectionWords)] {
		w := &text[i]
		if w.script {
			for l := range w.in.each {
				t[l.nth] += scriptWeight
			}
			continue
		}
		if w.in == 0 || slices.Contains(counted, w.folded) {
			continue
		}
		counted = append(counted, w.folded)
		for l := range w.in.each {
			t[l.nth]++
		}
	}
	return t
}

// byScript returns the only language that uses the script of w's last letter, nil when there is none.
func byScript(w word) *Language {
	r, _ := utf8.DecodeLastRuneInString(w.written)
	if r < utf8.RuneSelf {
		return nil
	}
	for _, l := range languages {
		if unicode.In(r, l.scripts...) {
			return l
		}
	}
	return nil
}

// detection is the language in which a text is read.
type detection struct {
	lang *Language
	// sure is true if the text itself decides its language. If the language is uncertain, others lists the
	// alternatives.
	sure   bool
	others languageSet
}

// detect detects the language of a text within a conversation. Script and function words decide if there are enough of
// them. If there are few, they choose among the languages of the conversation. Without evidence it is the main language
// of the conversation, or otherwise in an empty conversation.
func detect(text []clue, talk *tally, fallback *Language) detection {
	t := evidence(text)
	lead := leader(&t, all)
	main := talk.most(fallback)
	used := talk.used() | main.bit()
	if lead != nil && t[lead.nth] >= sureCount && (lead == English || t[lead.nth] >= t[English.nth]+sureCount) {
		as := detection{lang: lead, sure: true}
		if !used.has(lead) {
			as.others = main.bit() // the first text in its language, or a name within the main language: "Rio de Janeiro"
		}
		return as
	}
	if near := leader(&t, used); near != nil {
		return detection{lang: near}
	}
	if lead != nil {
		used |= lead.bit()
	}
	return detection{lang: main, others: used &^ main.bit()}
}

// leader returns the language in among with the most evidence, nil without evidence or on a tie.
func leader(t *tally, among languageSet) *Language {
	var lead *Language
	tied := false
	for i, n := range t {
		if n == 0 || !among.has(languages[i]) {
			continue
		}
		switch {
		case lead == nil || n > t[lead.nth]:
			lead, tied = languages[i], false
		case n == t[lead.nth]:
			tied = true
		}
	}
	if tied {
		return nil
	}
	return lead
}

// commonWords maps words of everyday talk, function words and time words to the languages they belong to.
var commonWords = sync.OnceValue(func() map[string]languageSet {
	m := maps.Clone(clueWords())
	for i, l := range languages {
		for w := range l.lists().common {
			m[w] |= 1 << i
		}
	}
	return m
})

// Detect returns the language of a standalone text: the one that most of its different words belong to, English if it is one of several
// such. Capitalised words inside a text do not count: titles and names are often in another language.
func Detect(said string) *Language {
	var t tally
	var room [detectionWords]string
	counted := room[:0]
	for start, end := range text.Words(said, nil) {
		w := newWord(text.Lower(said[start:end]))
		in := commonWords()[w.folded]
		if l := byScript(w); l != nil {
			in = l.bit()
		} else if r, _ := utf8.DecodeRuneInString(said[start:]); start > 0 && unicode.IsUpper(r) && end-start > 1 || slices.Contains(counted, w.folded) {
			continue
		}
		for l := range in.each {
			t[l.nth]++
		}
		if counted = append(counted, w.folded); len(counted) == detectionWords {
			break
		}
	}
	return t.most(English)
}

// DetectByFunctionWords is Detect by function words and times alone, which leaves many short texts English. The trained reader learnt with
// it.
func DetectByFunctionWords(said string) *Language {
	head := make([]clue, 0, detectionWords)
	for w := range words(said) {
		if head = append(head, clueOf(w)); len(head) == detectionWords {
			break
		}
	}
	return detect(head, new(tally), English).lang
}
