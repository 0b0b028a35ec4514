package lexical

import (
	"strings"

	"familiar/internal/text"
)

// lexicon caches the analysis of each word: a word is analyzed once, and stemmed once per language it is read in.
type lexicon struct {
	numbers map[string]int32 // by the word as written
	words   []vocable
	// terms holds the stems of all languages together: a name or a loan word is the same term in all of them.
	terms map[string]int32
	// plain is the buffer for lower-case text, told the buffer for words that show its language.
	plain []byte
	told  []told
	bytes int64
}

// vocable is one word.
type vocable struct {
	told
	as [languageCount]met
}

// met is the analysis of a word in one language: its term, or stopWord when it has none, and the flags namesTime and
// namesNumber that it sets on a turn. It is 0 until the word is analyzed: term<<termShift | flags | looked.
type met uint32

const (
	looked    = 1
	termShift = 3
	stopWord  = 1<<(32-termShift) - 1
)

func (m met) term() int32  { return int32(m >> termShift) }
func (m met) flags() uint8 { return uint8(m) & (namesTime | namesNumber) }

func newLexicon() lexicon {
	return lexicon{numbers: map[string]int32{}, terms: map[string]int32{}}
}

// hear appends the numbers of a text's words to heard.
func (v *lexicon) hear(heard []int32, said string) []int32 {
	if said = Clip(said); !text.IsASCII(said) {
		for w := range words(said) {
			n, known := v.numbers[w.written]
			if !known {
				n = v.learn(word{strings.Clone(w.written), strings.Clone(w.folded)}) // a slice would keep the whole text
			}
			heard = append(heard, n)
		}
		return heard
	}
	v.plain = appendLower(v.plain[:0], said)
	for start, end := nextWord(v.plain, 0); start < end; start, end = nextWord(v.plain, end) {
		w := v.plain[start:min(end, start+maxWord)]
		n, known := v.numbers[string(w)]
		if !known {
			written := string(w)
			n = v.learn(word{written, written})
		}
		heard = append(heard, n)
	}
	return heard
}

// appendLower appends ASCII text in lower case.
func appendLower(to []byte, text string) []byte {
	for i := range len(text) {
		b := text[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

func (v *lexicon) learn(w word) int32 {
	n := int32(len(v.words))
	v.numbers[w.written] = n
	v.words = append(v.words, vocable{told: tell(w)})
	v.bytes += wordBytes
	return n
}

// telling returns those of a text's first words that are evidence for its language.
func (v *lexicon) telling(heard []int32) []told {
	v.told = v.told[:0]
	for _, n := range heard[:min(len(heard), tellingWords)] {
		if w := &v.words[n]; w.in != 0 {
			v.told = append(v.told, w.told)
		}
	}
	return v.told
}

// meet returns the analysis of a word in l.
func (v *lexicon) meet(l *Language, n int32) met {
	w := &v.words[n]
	if m := w.as[l.nth]; m != 0 {
		return m
	}
	term, flags := int32(stopWord), uint8(0)
	if l.times[w.folded] {
		flags |= namesTime
	}
	if l.counts(w.folded) {
		flags |= namesNumber
	}
	if !l.stop[w.folded] {
		term = v.term(l.stem(w.word))
	}
	m := met(term)<<termShift | met(flags) | looked
	w.as[l.nth] = m
	return m
}

// term returns the number of a stem's term and adds the term if it is new.
func (v *lexicon) term(stem string) int32 {
	t, known := v.terms[stem]
	if !known {
		t = int32(len(v.terms))
		v.terms[strings.Clone(stem)] = t
		v.bytes += termBytes
	}
	return t
}

// The approximate size of a word and a term, with the overhead of grown slices and map buckets.
const (
	wordBytes = 160
	termBytes = 96
)
