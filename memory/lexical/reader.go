package lexical

import "slices"

// Reader reads texts for their terms. It remembers what each word comes to: of texts that share their words, the next is
// read sooner than by Terms. It must not be used side by side; its zero value is not ready, see NewReader.
type Reader struct {
	words lexicon
	heard []int32
}

// NewReader is a reader that has read nothing.
func NewReader() *Reader { return &Reader{words: newLexicon()} }

// Terms are the content terms of text in l, each once and as a number that stands for the same term in all that the reader
// reads, in ascending order.
func (r *Reader) Terms(l *Language, text string) (terms []int32) {
	r.heard = r.words.hear(r.heard[:0], text)
	for _, w := range r.heard {
		if known := r.words.meet(l, w); known.term() != stopWord {
			terms = append(terms, known.term())
		}
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// Bytes is about how much memory the reader takes.
func (r *Reader) Bytes() int64 { return r.words.bytes }
