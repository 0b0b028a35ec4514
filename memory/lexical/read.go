package lexical

// reading is a text as its words: their numbers, and how many there are up to the end of each sentence and line.
type reading struct {
	words  []int32
	pieces []int
}

// wordsPerText is about how many words a message has.
const wordsPerText = 16

// Prepare does what Add can do beforehand for documents that are not in the index yet. Unlike Add it may run concurrently
// with other methods, but only once at a time.
func (x *Index) Prepare(documents []Document) {
	var reader wordReader
	all := reading{make([]int32, 0, wordsPerText*len(documents)), make([]int, 0, len(documents))}
	for i := range documents {
		word, piece := len(all.words), len(all.pieces)
		all = reader.appendText(x.words, all, documents[i].Text)
		documents[i].prepared = reading{all.words[word:len(all.words):len(all.words)], all.pieces[piece:len(all.pieces):len(all.pieces)]}
	}
}

// appendText appends the words of a text and its sentences and lines.
func (r *wordReader) appendText(v *Vocabulary, to reading, text string) reading {
	text = Clip(text)
	first := len(to.words)
	for len(text) > minPieceText {
		end := pieceEnd(text)
		to.words = r.appendIDs(v, to.words, text[:end])
		to.pieces = append(to.pieces, len(to.words)-first)
		text = text[end:]
	}
	to.words = r.appendIDs(v, to.words, text)
	to.pieces = append(to.pieces, len(to.words)-first)
	return to
}

// readTerms collects the terms of a document's text, sets flags and names in r, and counts the content words. If the
// language is ambiguous, it reads the text in each candidate language. It also divides the terms into passages and files
// the concepts that the text mentions.
func (x *Index) readTerms(d *Document, ordinal uint32, r *row) (terms []int32, length int) {
	said := d.prepared
	if said.pieces == nil {
		x.read = x.reader.appendText(x.words, reading{x.read.words[:0], x.read.pieces[:0]}, d.Text)
		said = x.read
	}
	x.clues = x.words.appendClues(x.clues[:0], said.words)
	as := detect(x.clues, &x.talk, x.lang)
	if as.sure {
		x.talk[as.lang.nth]++
	}
	r.names = as.lang.names(d.Text)
	terms = x.heard[:0]
	cut := cutter{cuts: x.cuts[:0]}
	from := 0
	for _, end := range said.pieces {
		cut.piece(len(terms), length)
		for _, w := range said.words[from:end] {
			known := x.words.analyze(as.lang, w)
			r.flags |= known.flags()
			if known.term() != stopWord {
				length++
				cut.term(len(terms), length)
				terms = append(terms, known.term())
			}
			for l := range as.others.each {
				if other := x.words.analyze(l, w); other.term() != stopWord && other.term() != known.term() {
					terms = append(terms, other.term())
				}
			}
		}
		from = end
	}
	x.heard, x.cuts = terms, cut.cuts
	x.addConcepts(ordinal, as.lang, said.words)
	return terms, length
}
