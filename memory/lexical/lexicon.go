package lexical

import (
	"strings"

	"familiar/internal/text"
)

// lexicon caches the analysis of each word: a word is analyzed once, and stemmed once per language it is read in.
type lexicon struct {
	ids   map[string]int32 // by the word as written
	words []entry
	// terms holds the stems of all languages together: a name or a loan word is the same term in all of them.
	terms map[string]int32
	// plain is the buffer for lower-case text, clueBuffer the buffer for words that show its language.
	plain      []byte
	clueBuffer []clue
	bytes      int64
}

// entry is one word.
type entry struct {
	clue
	as [languageCount]analysis
}

// analysis is the analysis of a word in one language: its term, or stopWord when it has none, and the flags namesTime and
// namesNumber that it sets on a turn. It is 0 until the word is analyzed: term<<termShift | flags | looked.
type analysis uint32

const (
	analyzed  = 1
	termShift = 3
	stopWord  = 1<<(32-termShift) - 1
)

func (m analysis) term() int32  { return int32(m >> termShift) }
func (m analysis) flags() uint8 { return uint8(m) & (namesTime | namesNumber) }

func newLexicon() lexicon {
	return lexicon{ids: map[string]int32{}, terms: map[string]int32{}}
}

// appendIDs appends the numbers of a text's words to heard.
func (v *lexicon) appendIDs(ids []int32, said string) []int32 {
	if said = Clip(said); !text.IsASCII(said) {
		for w := range words(said) {
			n, known := v.ids[w.written]
			if !known {
				n = v.add(word{strings.Clone(w.written), strings.Clone(w.folded)}) // a slice would keep the whole text
			}
			ids = append(ids, n)
		}
		return ids
	}
	v.plain = appendLower(v.plain[:0], said)
	for start, end := nextWord(v.plain, 0); start < end; start, end = nextWord(v.plain, end) {
		w := v.plain[start:min(end, start+maxWord)]
		n, known := v.ids[string(w)]
		if !known {
			written := string(w)
			n = v.add(word{written, written})
		}
		ids = append(ids, n)
	}
	return ids
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

func (v *lexicon) add(w word) int32 {
	n := int32(len(v.words))
	v.ids[w.written] = n
	v.words = append(v.words, entry{clue: clueOf(w)})
	v.bytes += wordBytes
	return n
}

// clues returns those of a text's first words that are evidence for its language.
func (v *lexicon) clues(ids []int32) []clue {
	v.clueBuffer = v.clueBuffer[:0]
	for _, n := range ids[:min(len(ids), detectionWords)] {
		if w := &v.words[n]; w.in != 0 {
			v.clueBuffer = append(v.clueBuffer, w.clue)
		}
	}
	return v.clueBuffer
}

// analyze returns the analysis of a word in l.
func (v *lexicon) analyze(l *Language, n int32) analysis {
	w := &v.words[n]
	if m := w.as[l.nth]; m != 0 {
		return m
	}
	term, flags := int32(stopWord), uint8(0)
	if l.lists().times[w.folded] {
		flags |= namesTime
	}
	if l.isNumber(w.folded) {
		flags |= namesNumber
	}
	if !l.lists().stop[w.folded] {
		term = v.term(l.stem(w.word))
	}
	m := analysis(term)<<termShift | analysis(flags) | analyzed
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
