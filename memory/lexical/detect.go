package lexical

import (
	"math/bits"
	"slices"
	"unicode/utf8"
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

// tellers maps function words and time words to the languages they belong to.
var tellers = func() map[string]languageSet {
	m := map[string]languageSet{}
	for i, l := range languages {
		for _, words := range []map[string]bool{l.stop, l.times} {
			for w := range words {
				m[w] |= 1 << i // nth is not set yet
			}
		}
	}
	return m
}()

// tally holds a count per language.
type tally [languageCount]int32

func (t *tally) add(more *tally) {
	for i, n := range more {
		t[i] += n
	}
}

// most returns the language with the highest count, or otherwise when all counts are 0.
func (t *tally) most(otherwise *Language) *Language {
	best := otherwise
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

// held returns the languages that the conversation uses, where t counts its texts per language.
func (t *tally) held() (in languageSet) {
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
	// tellingWords is the number of words that detection reads. Reading more does not improve the result.
	tellingWords = 64
	// scriptWeight is the weight of a word in a script that only one language uses, against 1 for a function word. One
	// such word is enough.
	scriptWeight = 2
	// sureCount is the number of function words that decide a language. Another language must also have that many more
	// than English, because names, titles and loan words carry function words into English ("Los Angeles", "El Niño").
	sureCount = 2
)

// bytesPerWord is about how many bytes of a text there are for each word.
const bytesPerWord = 5

// told is a word with its evidence for the language of the text.
type told struct {
	word
	// in contains the languages in which the word is a function word or time word, or the one language that uses its
	// script.
	in     languageSet
	script bool
}

func tell(w word) told {
	if l := byScript(w); l != nil {
		return told{word: w, in: l.bit(), script: true}
	}
	return told{word: w, in: tellers[w.folded]}
}

func tellAll(text []word) []told {
	all := make([]told, len(text))
	for i, w := range text {
		all[i] = tell(w)
	}
	return all
}

// evidence counts how many different words of text point to each language.
func evidence(text []told) (t tally) {
	var room [tellingWords]string // on the stack, because every added text passes through here
	counted := room[:0]
	for i := range text[:min(len(text), tellingWords)] {
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
		if l.script != nil && l.script(r) {
			return l
		}
	}
	return nil
}

// reading is the language in which a text is read.
type reading struct {
	lang *Language
	// sure is true if the text itself decides its language. If the language is uncertain, others lists the
	// alternatives.
	sure   bool
	others languageSet
}

// judge detects the language of a text within a conversation. Script and function words decide if there are enough of
// them. If there are few, they choose among the languages of the conversation. Without evidence it is the main language
// of the conversation, or otherwise in an empty conversation.
func judge(text []told, talk *tally, otherwise *Language) reading {
	t := evidence(text)
	lead := leader(&t, all)
	main := talk.most(otherwise)
	held := talk.held() | main.bit()
	if lead != nil && t[lead.nth] >= sureCount && (lead == English || t[lead.nth] >= t[English.nth]+sureCount) {
		as := reading{lang: lead, sure: true}
		if !held.has(lead) {
			as.others = main.bit() // the first text in its language, or a name within the main language: "Rio de Janeiro"
		}
		return as
	}
	if near := leader(&t, held); near != nil {
		return reading{lang: near}
	}
	if lead != nil {
		held |= lead.bit()
	}
	return reading{lang: main, others: held &^ main.bit()}
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

// Detect returns the language of a standalone text, English when the text is inconclusive.
func Detect(text string) *Language {
	head := make([]told, 0, min(len(text)/bytesPerWord+1, tellingWords))
	for w := range words(text) {
		if head = append(head, tell(w)); len(head) == tellingWords {
			break
		}
	}
	return judge(head, new(tally), English).lang
}
