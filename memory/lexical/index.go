// Package lexical searches conversations by words. An Index holds the turns of one scope in order, as posting lists and
// a dense row per turn, so that the neighbors and the session of a turn contribute to its score. The package is pure:
// texts in, ranked ordinals out, no store, no clock.
package lexical

import (
	"cmp"
	"slices"
	"strings"

	"familiar/internal/text"
)

// Document is one turn, or one standalone memory.
type Document struct {
	Text string
	// Author is the speaker, 0 for none.
	Author int64
	// Thread is the session of the turn. Turns of a session are each other's context. 0 is for standalone documents.
	Thread int64
	// At is the time of the turn. From and Until bound the time it mentions; both are 0 when it mentions none. All are
	// in milliseconds since the epoch.
	At, From, Until int64
	// Context marks a turn that contributes words to its neighbors but is not returned itself; see Surface.
	Context bool
	// Own marks a turn of the persona. It is returned to queries that want such turns, even if it is Context.
	Own bool
	// Links are the folded names of the entities that the turn mentions.
	Links []string

	// prepared holds the words of Text if Prepare has read them.
	prepared reading
}

// posting is a document or thread with its term count: ordinal<<6 | count. The count is capped at 63; BM25 saturates
// long before that. 2^26 ordinals exceed what one scope holds in memory.
type posting uint32

const (
	countBits = 6
	maxCount  = 1<<countBits - 1
)

func newPosting(ordinal uint32, count int) posting {
	return posting(ordinal<<countBits | uint32(min(count, maxCount)))
}

func (p posting) ordinal() uint32 { return uint32(p) >> countBits }
func (p posting) count() float32  { return float32(p & maxCount) }

// none marks a missing document or thread.
const none = ^uint32(0)

// The flags of a turn.
const (
	isContext   = 1 << iota // never returned itself
	namesTime               // contains a time word
	namesNumber             // contains a number
	asksSome                // contains a question mark
	asksLast                // ends in one
	isOwn                   // the persona said it
	hasList                 // contains a list
)

// row is what the index stores per document, besides its postings.
type row struct {
	author, at int64
	prev, next uint32 // neighbours in the thread
	thread     uint32
	place      uint16 // position in the thread, from 0
	flags      uint8
	names      uint8 // number of names in the text, capped at manyNames
}

// span is the time that a document mentions.
type span struct {
	ordinal     uint32
	from, until int64
}

// thread holds the totals of one session.
type thread struct {
	last   uint32 // latest document
	turns  uint32
	length uint32 // content terms of all turns
}

// Index holds the turns of one scope. Documents are numbered from 0 in insertion order. Methods that change the index
// must not run concurrently with anything else; searches may run concurrently with each other.
type Index struct {
	// lang is the default language. talk counts texts per detected language.
	lang *Language
	talk tally
	// words is the vocabulary of all texts. shared reports that other indexes use it too.
	words  *Vocabulary
	shared bool
	// terms holds the posting lists: per term the turns, the sessions and the passages, and per concept the turns.
	terms postings
	// bulk holds the postings of documents added since Begin, nil after Finish.
	bulk *bulk
	// passages are the parts of long documents, in order.
	passages []passage
	concepts conceptReading

	rows []row
	// removed is the number of removed rows.
	removed int
	// lengths holds the content term count per document, apart from rows because scoring scans only the lengths.
	lengths []uint16
	threads []thread
	byID    map[int64]uint32
	// spans holds, by ordinal, the few documents that mention a time.
	spans []span
	// linkNumbers numbers the names that documents mention, linkNames lists them, links holds the documents that mention
	// each, and linked, by ordinal, the names that the documents mention.
	linkNumbers map[string]int32
	linkNames   []string
	links       [][]uint32
	linked      []mentions
	// names maps a word of a name to the authors who bear it.
	names map[string][]int64

	length int64 // content terms of all documents
	// threadLength is the sum of the lengths of all threads.
	threadLength int64
	// parts counts the passages of all documents. A short document is one passage.
	parts int
	// spoken holds the totals of each author.
	spoken map[int64]*amount
	// typical is the sum of their terms.
	typical int64
	bytes   int64

	// reader, read, heard, cuts and clues are buffers for reading a text.
	reader wordReader
	read   reading
	heard  []int32
	cuts   []int
	clues  []clue
}

// amount is how much somebody said. A turn counts typicalTerms at most, so that one pasted page does not make a talk one of
// long turns.
type amount struct{ turns, terms int64 }

const typicalTerms = 2 * longLines

// New returns an empty index. lang is the default until the conversation shows another language.
func New(lang *Language) *Index {
	x := NewIn(NewVocabulary(), lang)
	x.shared = false
	return x
}

// NewIn returns an empty index whose words are in a vocabulary that it shares with other indexes.
func NewIn(words *Vocabulary, lang *Language) *Index {
	return &Index{
		lang: lang, words: words, shared: true,
		byID: map[int64]uint32{}, linkNumbers: map[string]int32{}, names: map[string][]int64{}, spoken: map[int64]*amount{},
	}
}

// Clear removes all documents and names but keeps the vocabulary. Adding documents to x then gives the same result as
// in an empty index, but faster.
func (x *Index) Clear() {
	x.terms.clear()
	clear(x.spoken)
	clear(x.byID)
	clear(x.linkNumbers)
	clear(x.linked)
	x.linkNames, x.links, x.linked = nil, nil, x.linked[:0]
	clear(x.names)
	x.rows, x.lengths, x.threads, x.spans = x.rows[:0], x.lengths[:0], x.threads[:0], x.spans[:0]
	x.passages = x.passages[:0]
	x.talk, x.removed, x.length, x.threadLength, x.parts, x.typical, x.bytes = tally{}, 0, 0, 0, 0, 0, 0
}

// Bytes returns the approximate memory use of the index, for cache limits, without a shared vocabulary.
func (x *Index) Bytes() int64 {
	bytes := x.bytes + x.terms.bytes() + int64(len(x.rows))*rowBytes + int64(len(x.spans))*spanBytes +
		int64(len(x.passages))*passageBytes + int64(len(x.spoken))*amountBytes
	if !x.shared {
		bytes += x.words.Bytes()
	}
	return bytes
}

// The approximate size of one entry, with the overhead of grown slices and map buckets.
const (
	rowBytes    = 42
	spanBytes   = 32
	amountBytes = 64
	nameBytes   = 96
	linkBytes   = 12
	// mentionsBytes is the size of the mentions of a document without the names.
	mentionsBytes = 48
)

// Add appends d and returns its ordinal.
func (x *Index) Add(d Document) int {
	ordinal := uint32(len(x.rows))
	r := row{author: d.Author, at: d.At, prev: none, next: none, thread: none}
	if d.Context {
		r.flags |= isContext
	}
	if d.Own {
		r.flags |= isOwn
	}
	r.flags |= asking(d.Text) | layout(d.Text)
	terms, length := x.readTerms(&d, ordinal, &r)
	if d.Thread != 0 {
		x.addToThread(&r, ordinal, d.Thread, length)
	}
	x.rows = append(x.rows, r)
	x.lengths = append(x.lengths, uint16(min(length, 1<<16-1)))
	x.length += int64(length)
	x.speak(d.Author, 1, min(length, typicalTerms))
	x.addPassages(ordinal, terms)
	x.addPostings(ordinal, r.thread, terms)
	x.addSpan(ordinal, d.From, d.Until)
	x.link(ordinal, d.Links)
	return int(ordinal)
}

// Surface makes a document that was added as Context searchable. from and until bound the time it mentions, links are
// its names.
func (x *Index) Surface(ordinal int, from, until int64, links []string) {
	x.rows[ordinal].flags &^= isContext
	x.addSpan(uint32(ordinal), from, until)
	x.link(uint32(ordinal), links)
}

// Conceal undoes Surface: the document again contributes words to its neighbors but is not returned itself.
func (x *Index) Conceal(ordinal int) {
	x.rows[ordinal].flags |= isContext
	if at, dated := x.spanOf(uint32(ordinal)); dated {
		x.spans = slices.Delete(x.spans, at, at+1)
	}
	x.unlink(uint32(ordinal))
}

// Remove removes standalone documents. ordinals must be sorted. Removed ordinals are not reused.
func (x *Index) Remove(ordinals []int) {
	if len(ordinals) == 0 {
		return
	}
	for _, o := range ordinals {
		x.Conceal(o)
		x.length -= int64(x.lengths[o])
		x.speak(x.rows[o].author, -1, -min(int(x.lengths[o]), typicalTerms))
		x.lengths[o] = 0
	}
	x.removed += len(ordinals)
	removed := func(p posting) bool {
		_, found := slices.BinarySearch(ordinals, int(p.ordinal()))
		return found
	}
	first := newPosting(uint32(ordinals[0]), 0)
	for i := range x.terms.lists {
		lists := &x.terms.lists[i]
		x.terms.deleteFrom(&lists.turns, first, removed)
	}
	x.removePassages(ordinals)
}

// speak adds to the totals of an author.
func (x *Index) speak(author int64, turns, terms int) {
	a := x.spoken[author]
	if a == nil {
		a = new(amount)
		x.spoken[author] = a
	}
	a.turns += int64(turns)
	a.terms += int64(terms)
	x.typical += int64(terms)
}

// addSpan records the time that a document mentions, if any.
func (x *Index) addSpan(ordinal uint32, from, until int64) {
	if until <= from {
		return
	}
	at, _ := x.spanOf(ordinal)
	x.spans = slices.Insert(x.spans, at, span{ordinal, from, until})
}

// spanOf returns the position of a document's span, or its insertion point.
func (x *Index) spanOf(ordinal uint32) (at int, found bool) {
	return slices.BinarySearchFunc(x.spans, ordinal, func(s span, o uint32) int { return cmp.Compare(s.ordinal, o) })
}

// addToThread appends a document with the given number of terms to its thread.
func (x *Index) addToThread(r *row, ordinal uint32, id int64, terms int) {
	t, known := x.byID[id]
	if !known {
		t = uint32(len(x.threads))
		x.byID[id] = t
		x.threads = append(x.threads, thread{last: none})
	}
	th := &x.threads[t]
	r.thread, r.prev, r.place = t, th.last, uint16(min(th.turns, 1<<16-1))
	if th.last != none {
		x.rows[th.last].next = ordinal
	}
	th.last = ordinal
	th.length += uint32(terms)
	x.threadLength += int64(terms)
	th.turns++
}

// addPostings adds the terms of a document to both kinds of posting lists.
func (x *Index) addPostings(ordinal, thread uint32, terms []int32) {
	slices.Sort(terms)
	for len(terms) > 0 {
		t, n := terms[0], 1
		for n < len(terms) && terms[n] == t {
			n++
		}
		if terms = terms[n:]; x.bulk != nil {
			x.bulk.turns.add(t, newPosting(ordinal, n))
			continue
		}
		lists := x.terms.add(t)
		x.terms.insert(&lists.turns, int(lists.turns.n), newPosting(ordinal, n))
		if thread != none {
			x.terms.count(&lists.sessions, thread, n)
		}
	}
}

// Name registers a name of author for queries. Each word of it that is not a stop word refers to author.
func (x *Index) Name(author int64, name string) {
	for w := range words(name) {
		if !x.lang.lists().stop[w.folded] && !slices.Contains(x.names[w.folded], author) {
			x.names[w.folded] = append(x.names[w.folded], author)
			x.bytes += nameBytes
		}
	}
}

// Before returns the previous document in the thread, -1 when there is none.
func (x *Index) Before(ordinal int) int { return neighbour(x.rows[ordinal].prev) }

// After returns the next document in the thread, -1 when there is none.
func (x *Index) After(ordinal int) int { return neighbour(x.rows[ordinal].next) }

func neighbour(ordinal uint32) int {
	if ordinal == none {
		return -1
	}
	return int(ordinal)
}

// At returns the time of the document, as given to Add.
func (x *Index) At(ordinal int) int64 { return x.rows[ordinal].at }

// Author returns the speaker of the document, as given to Add.
func (x *Index) Author(ordinal int) int64 { return x.rows[ordinal].author }

// Asks reports whether the document contains a question.
func (x *Index) Asks(ordinal int) bool { return x.rows[ordinal].flags&asksSome != 0 }

// asking returns the flags for whether text contains a question and ends in one. A trailing bracketed note is ignored.
func asking(text string) uint8 {
	if !containsQuestionMark(text) {
		return 0
	}
	end := strings.TrimSpace(text)
	if i := strings.LastIndex(end, " ["); i > 0 && strings.HasSuffix(end, "]") {
		end = strings.TrimSpace(end[:i])
	}
	if strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") || strings.HasSuffix(end, "؟") {
		return asksSome | asksLast
	}
	return asksSome
}

func containsQuestionMark(said string) bool {
	if strings.IndexByte(said, '?') >= 0 {
		return true
	}
	return !text.IsASCII(said) && (strings.Contains(said, "？") || strings.Contains(said, "؟"))
}
