package lexical

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// languageSet is a bit per language.
type languageSet uint16

// all is every language.
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

// tellers are the words of grammar and of time with the languages they belong to.
var tellers = func() map[string]languageSet {
	m := map[string]languageSet{}
	for i, l := range languages {
		for _, words := range []map[string]bool{l.stop, l.times} {
			for w := range words {
				m[w] |= 1 << i // their places are not yet set
			}
		}
	}
	return m
}()

// tally counts something by language.
type tally [languageCount]int32

func (t *tally) add(more *tally) {
	for i, n := range more {
		t[i] += n
	}
}

// most is the language of the highest count, by default when there is none.
func (t *tally) most(otherwise *Language) *Language {
	best := otherwise
	for i, n := range t {
		if n > t[best.nth] {
			best = languages[i]
		}
	}
	return best
}

// commonShare is one in how many texts must be in a language for talk to be held in it, rather than a title or a
// greeting being dropped now and then.
const commonShare = 50

// held are the languages that talk with so many texts of each is held in.
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
	// tellingWords is how many words of a text are looked at for its language: more settle nothing that these do not.
	tellingWords = 64
	// scriptWeight is what a word in a script of one language counts, against 1 for a word of grammar: it is one by itself.
	scriptWeight = 2
	// sureCount is how many words of grammar settle a language, and how many more than English's another must have: names,
	// titles and loan words carry one into English talk ("Los Angeles", "El Niño").
	sureCount = 2
)

// told is a word with what it tells of the language of a text it stands in.
type told struct {
	word
	// in are the languages it is a word of grammar of, or the one its script is of.
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

// evidence is how many different words of text speak for each language.
func evidence(text []told) (t tally) {
	var room [tellingWords]string // on the stack: every text added passes here
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

// byScript is the one language that w's last letter is written in, nil when there are several.
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

// reading is what a text is read as.
type reading struct {
	lang *Language
	// sure says that the text itself settles it. Where that is not to be relied on, it may as well be in one of the others.
	sure   bool
	others languageSet
}

// judge tells the language of a text that stands in talk: by its script and its words of grammar; when they are few, by
// them among the languages the talk is held in; else it is the talk's main one, and otherwise when nothing was said yet.
func judge(text []told, talk *tally, otherwise *Language) reading {
	t := evidence(text)
	lead := leader(&t, all)
	main := talk.most(otherwise)
	held := talk.held() | main.bit()
	if lead != nil && t[lead.nth] >= sureCount && (lead == English || t[lead.nth] >= t[English.nth]+sureCount) {
		as := reading{lang: lead, sure: true}
		if !held.has(lead) {
			as.others = main.bit() // the first in its language, or a name in the main one: "Rio de Janeiro"
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

// leader is the language among some with the most evidence, nil when there is none or two have as much.
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

// Detect tells the language of a text that stands alone, English when the text does not settle it.
func Detect(text string) *Language {
	var head []told
	for w := range words(text) {
		if head = append(head, tell(w)); len(head) == tellingWords {
			break
		}
	}
	return judge(head, new(tally), English).lang
}
