package lexical

import "slices"

// Reader reads texts for their terms. It caches the analysis of each word, so that it reads texts with shared words
// faster than Terms does. It is not safe for concurrent use. Its zero value is not ready; see NewReader.
type Reader struct {
	words   *Vocabulary
	reader  wordReader
	wordIDs []int32
}

// NewReader returns an empty reader.
func NewReader() *Reader { return &Reader{words: NewVocabulary()} }

// Terms returns the content terms of text in l, each once, in ascending order. A number stands for the same term in all
// texts of the reader.
func (r *Reader) Terms(l *Language, text string) (terms []int32) {
	r.wordIDs = r.reader.appendIDs(r.words, r.wordIDs[:0], text)
	for _, w := range r.wordIDs {
		if known := r.words.analyze(l, w); known.term() != stopWord {
			terms = append(terms, known.term())
		}
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// Bytes returns the approximate memory use of the reader.
func (r *Reader) Bytes() int64 { return r.words.Bytes() }
