package lexical

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"

	"familiar/internal/text"
)

// Vocabulary holds the words of one or more indexes: a word is analyzed once, and stemmed once per language it is read
// in. It is safe for concurrent use by its indexes.
type Vocabulary struct {
	mu sync.RWMutex // guards everything but blocks and what they hold
	// table finds words by their hash as written. Its length is a power of two, and more than a quarter of it is free.
	table []place
	seed  maphash.Seed
	count int32
	// blocks hold the words by their numbers. A word is complete before its number is returned, so reading it needs no
	// lock.
	blocks atomic.Pointer[[]*[wordBlock]entry]
	// terms holds the stems of all languages together: a name or a loan word is the same term in all of them.
	terms map[string]int32
	bytes int64
}

// place is where table finds a word: its hash, and its number plus 1, 0 for none.
type place struct{ hash, word uint32 }

// entry is one word.
type entry struct {
	clue
	as [languageCount]atomic.Uint32 // analysis
	// stems are its stems that Concepts takes, one per language it was read in.
	stems atomic.Pointer[conceptStem]
}

// wordBlock is the number of words in a block, minTable the smallest length of a table.
const (
	wordBlock    = 512
	minWordTable = 256
)

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

// NewVocabulary returns an empty vocabulary.
func NewVocabulary() *Vocabulary {
	v := &Vocabulary{table: make([]place, minWordTable), seed: maphash.MakeSeed(), terms: map[string]int32{}}
	v.blocks.Store(&[]*[wordBlock]entry{})
	return v
}

// Bytes returns the approximate memory use of the vocabulary.
func (v *Vocabulary) Bytes() int64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.bytes
}

// lookup returns the term of a stem.
func (v *Vocabulary) lookup(stem string) (term int32, known bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	term, known = v.terms[stem]
	return term, known
}

// word returns the word with a number.
func (v *Vocabulary) word(n int32) *entry { return &(*v.blocks.Load())[n/wordBlock][n%wordBlock] }

// wordReader reads texts for the numbers of their words. It is not safe for concurrent use.
type wordReader struct {
	plain []byte // lower-case text
}

// appendIDs appends the numbers of a text's words to heard.
func (r *wordReader) appendIDs(v *Vocabulary, ids []int32, said string) []int32 {
	if said = Clip(said); !text.IsASCII(said) {
		for w := range words(said) {
			n, known := v.number([]byte(w.written))
			if !known {
				n = v.add(word{strings.Clone(w.written), strings.Clone(w.folded)}) // a slice would keep the whole text
			}
			ids = append(ids, n)
		}
		return ids
	}
	r.plain = appendLower(r.plain[:0], said)
	v.mu.RLock()
	defer v.mu.RUnlock()
	for start, end := nextWord(r.plain, 0); start < end; start, end = nextWord(r.plain, end) {
		w := r.plain[start:min(end, start+maxWord)]
		_, n := v.find(w)
		if n == 0 {
			v.mu.RUnlock()
			written := string(w)
			n = v.add(word{written, written}) + 1
			v.mu.RLock()
		}
		ids = append(ids, n-1)
	}
	return ids
}

// number returns the number of a word.
func (v *Vocabulary) number(written []byte) (n int32, known bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	_, n = v.find(written)
	return n - 1, n != 0
}

// find returns the place of a word in the table, and its number plus 1, 0 for none. The caller holds the lock.
func (v *Vocabulary) find(written []byte) (at uint32, n int32) {
	hash, mask := uint32(maphash.Bytes(v.seed, written)), uint32(len(v.table)-1)
	for at = hash & mask; ; at = (at + 1) & mask {
		p := v.table[at]
		if p.word == 0 || p.hash == hash && v.word(int32(p.word-1)).written == string(written) {
			return at, int32(p.word)
		}
	}
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

// add returns the number of a word, which may be new.
func (v *Vocabulary) add(w word) int32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	written := []byte(w.written)
	at, known := v.find(written)
	if known != 0 {
		return known - 1 // another index has added it meanwhile
	}
	n := v.count
	blocks := *v.blocks.Load()
	if int(n) == len(blocks)*wordBlock {
		blocks = append(blocks[:len(blocks):len(blocks)], new([wordBlock]entry))
		v.blocks.Store(&blocks)
	}
	blocks[n/wordBlock][n%wordBlock].clue = clueOf(w)
	v.table[at] = place{uint32(maphash.Bytes(v.seed, written)), uint32(n + 1)}
	v.count++
	v.bytes += wordBytes
	if 4*int(v.count) > 3*len(v.table) {
		v.growTable()
	}
	return n
}

func (v *Vocabulary) growTable() {
	old := v.table
	v.table = make([]place, 2*len(old))
	mask := uint32(len(v.table) - 1)
	for _, p := range old {
		if p.word == 0 {
			continue
		}
		at := p.hash & mask
		for v.table[at].word != 0 {
			at = (at + 1) & mask
		}
		v.table[at] = p
	}
}

// appendClues appends those of a text's first words that are evidence for its language.
func (v *Vocabulary) appendClues(clues []clue, ids []int32) []clue {
	for _, n := range ids[:min(len(ids), detectionWords)] {
		if w := v.word(n); w.in != 0 {
			clues = append(clues, w.clue)
		}
	}
	return clues
}

// analyze returns the analysis of a word in l.
func (v *Vocabulary) analyze(l *Language, n int32) analysis {
	w := v.word(n)
	if m := analysis(w.as[l.nth].Load()); m != 0 {
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
	w.as[l.nth].Store(uint32(m))
	return m
}

// term returns the number of a stem's term and adds the term if it is new.
func (v *Vocabulary) term(stem string) int32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	t, known := v.terms[stem]
	if !known {
		t = int32(len(v.terms))
		v.terms[strings.Clone(stem)] = t
		v.bytes += termBytes
	}
	return t
}

// The approximate size of a word and a term, with the overhead of tables and of the texts.
const (
	wordBytes = 144
	termBytes = 64
)
