package lexical

import (
	"slices"
	"strings"
)

// passageTerms is the number of content terms in a passage. A longer document consists of several passages, so that a
// sentence in a long answer counts as much as one in a short message.
const passageTerms = 60

// passage is a part of a long document.
type passage struct {
	ordinal uint32
	length  uint16 // content terms
}

// passageBytes is the approximate size of a passage.
const passageBytes = 10

// minPieceText is the length of a text in bytes up to which it is one passage in any case: a term takes at least two bytes.
const minPieceText = 2 * passageTerms

// pieceEnd returns the end of the first sentence or line of text.
func pieceEnd(text string) int {
	for at := range len(text) {
		switch text[at] {
		case '\n':
			return at + 1
		case '.', '!', '?':
			if at+1 < len(text) && (text[at+1] == ' ' || text[at+1] == '\n') {
				return at + 1
			}
		case fullStop[0], fullWidthMark[0]:
			if end := firstRunes(text[at:], 1); end == fullStop || end == fullWidthMark || end == fullWidthQuestion {
				return at + len(end)
			}
		}
	}
	return len(text)
}

// The marks that end a sentence in Chinese and Japanese. The last two begin with the same byte.
const (
	fullStop          = "。"
	fullWidthMark     = "！"
	fullWidthQuestion = "？"
)

// cutter divides a document into passages of whole sentences. A sentence that is too long for one is cut.
type cutter struct {
	// cuts are the term indexes at which a new passage begins, except the first.
	cuts []int
	// start is the content length at which the passage began, piece that at which the sentence began, pieceAt the term
	// index of the latter.
	start, sentence, sentenceAt int
}

// piece begins a sentence at a term index, with the content length so far.
func (c *cutter) piece(at, length int) { c.sentenceAt, c.sentence = at, length }

// term begins a new passage if the term at the index, with which the content has the given length, no longer fits.
func (c *cutter) term(at, length int) {
	if length-c.start <= passageTerms {
		return
	}
	if c.sentence > c.start {
		c.cuts, c.start = append(c.cuts, c.sentenceAt), c.sentence
		return
	}
	c.cuts, c.start = append(c.cuts, at), length-1
}

// addPassages files the passages of a document if it has several, cut at x.cuts. It sorts the terms within each.
func (x *Index) addPassages(ordinal uint32, terms []int32) {
	x.parts += 1 + len(x.cuts)
	if len(x.cuts) == 0 {
		return
	}
	from := 0
	for _, end := range append(x.cuts, len(terms)) {
		id := uint32(len(x.passages))
		x.passages = append(x.passages, passage{ordinal, uint16(min(end-from, 1<<16-1))})
		part := terms[from:end]
		slices.Sort(part)
		for len(part) > 0 {
			t, n := part[0], 1
			for n < len(part) && part[n] == t {
				n++
			}
			x.addToPassage(t, newPosting(id, n))
			part = part[n:]
		}
		from = end
	}
}

// addToPassage adds a posting of a passage to the list of a term.
func (x *Index) addToPassage(term int32, p posting) {
	if x.bulk != nil {
		x.bulk.passages.add(term, p)
		return
	}
	lists := x.terms.add(term)
	x.terms.insert(&lists.passages, int(lists.passages.n), p)
}

// removePassages removes the passages of documents.
func (x *Index) removePassages(ordinals []int) {
	x.parts -= len(ordinals)
	first := len(x.passages)
	for _, o := range ordinals {
		at, _ := slices.BinarySearchFunc(x.passages, uint32(o), func(p passage, o uint32) int { return int(p.ordinal) - int(o) })
		end := at
		for end < len(x.passages) && x.passages[end].ordinal == uint32(o) {
			end++
		}
		if end > at {
			first = min(first, at)
			x.parts -= end - at - 1
		}
	}
	if first == len(x.passages) {
		return
	}
	removed := func(p posting) bool {
		_, found := slices.BinarySearch(ordinals, int(x.passages[p.ordinal()].ordinal))
		return found
	}
	for i := range x.terms.lists {
		x.terms.deleteFrom(&x.terms.lists[i].passages, newPosting(uint32(first), 0), removed)
	}
}

// layout returns the flag for whether text contains a list.
func layout(text string) (flags uint8) {
	if !strings.Contains(text, "\n") {
		return 0
	}
	if strings.Contains(text, "\n- ") || strings.Contains(text, "\n* ") || strings.Contains(text, "\n1. ") {
		flags |= hasList
	}
	return flags
}
