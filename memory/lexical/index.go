// Package lexical finds talk by its words. An Index holds the turns of one scope in the order they were said, as
// posting lists and a dense row per turn, so that the turns around a hit and the session it stands in score along with
// it. It is pure: texts in, ranked ordinals out, no store, no clock.
package lexical

import (
	"cmp"
	"slices"
	"strings"
)

// Document is one turn, or one memory that stands alone.
type Document struct {
	Text string
	// Author is who said it, 0 for nobody in particular.
	Author int64
	// Thread is the session the turn belongs to; its turns are each other's context. 0 stands alone.
	Thread int64
	// At is when it was said, From and Until bound the time it speaks of (both 0 when it names none), all in
	// milliseconds since the epoch.
	At, From, Until int64
	// Context marks a turn that lends its words to its neighbours and is not found itself: see Surface.
	Context bool
	// Links are the folded names of what the turn speaks of.
	Links []string
}

// posting is a document or thread with how often it holds the term: ordinal<<6 | count, the count capped at 63. Bm25
// is flat long before that, and 2^26 ordinals are past what one scope holds in memory.
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

// none is the ordinal of no document and of no thread.
const none = ^uint32(0)

// What a turn is, beyond its words.
const (
	isContext   = 1 << iota // never found itself
	namesTime               // holds a word of time
	namesNumber             // holds a number
	asksSome                // holds a question mark
	asksLast                // ends in one
)

// row is what is kept of a document beside its postings.
type row struct {
	author, at int64
	prev, next uint32 // neighbours in the thread
	thread     uint32
	place      uint16 // in the thread, from 0
	flags      uint8
	names      uint8 // how many names the text holds, two standing for more
}

// span is the time a document speaks of.
type span struct {
	ordinal     uint32
	from, until int64
}

// thread is one session's totals.
type thread struct {
	last   uint32 // its latest document
	turns  uint32
	length uint32 // content terms of all of them
}

// Index is the turns of one scope. Documents are numbered from 0 in the order they are added. Add must not run beside
// anything else; searches may run beside each other.
type Index struct {
	// lang is what is read before the talk has shown its language, talk how many texts of each it has shown.
	lang *Language
	talk tally
	// words are the words of all that was said.
	words lexicon
	// turns and sessions are the posting lists by term.
	turns, sessions [][]posting

	rows []row
	// gone is how many of them were removed.
	gone int
	// lengths are the content terms of each document: apart from the rows, since scoring walks them alone.
	lengths []uint16
	threads []thread
	byID    map[int64]uint32
	// spans are of the few documents that speak of a time, by ordinal.
	spans []span
	// links are the documents that speak of a name, linked the names a document speaks of.
	links  map[string][]uint32
	linked map[uint32][]string
	names  map[string][]int64

	length int64 // content terms of all documents
	bytes  int64

	// heard and terms are room to read a text in.
	heard, terms []int32
}

// New is an empty index of talk that is in lang unless it shows another language.
func New(lang *Language) *Index {
	return &Index{
		lang: lang, words: newLexicon(),
		byID: map[int64]uint32{}, links: map[string][]uint32{}, linked: map[uint32][]string{}, names: map[string][]int64{},
	}
}

// Clear lets go of all documents and names and keeps what is known of words: the next talk read into x comes to the same as
// in an empty index, sooner.
func (x *Index) Clear() {
	for t := range x.turns {
		x.turns[t], x.sessions[t] = x.turns[t][:0], x.sessions[t][:0]
	}
	clear(x.byID)
	clear(x.links)
	clear(x.linked)
	clear(x.names)
	x.rows, x.lengths, x.threads, x.spans = x.rows[:0], x.lengths[:0], x.threads[:0], x.spans[:0]
	x.talk, x.gone, x.length, x.bytes = tally{}, 0, 0, 0
}

// Bytes is about how much memory the index takes, for a cache to weigh it by.
func (x *Index) Bytes() int64 { return x.bytes + x.words.bytes }

// What one of each costs, with the slack of grown slices and of map buckets.
const (
	rowBytes     = 56
	spanBytes    = 32
	postingBytes = 6
	nameBytes    = 96
)

// Add appends d and returns its ordinal.
func (x *Index) Add(d Document) int {
	ordinal := uint32(len(x.rows))
	r := row{author: d.Author, at: d.At, prev: none, next: none, thread: none}
	if d.Context {
		r.flags |= isContext
	}
	r.flags |= asking(d.Text)
	terms, length := x.read(d.Text, &r)
	if d.Thread != 0 {
		x.follow(&r, ordinal, d.Thread, length)
	}
	x.rows = append(x.rows, r)
	x.lengths = append(x.lengths, uint16(min(length, 1<<16-1)))
	x.length += int64(length)
	x.post(ordinal, r.thread, terms)
	x.date(ordinal, d.From, d.Until)
	x.link(ordinal, d.Links)
	x.bytes += rowBytes
	return int(ordinal)
}

// Surface lets a document that was added as Context be found, as speaking of the time from From until Until and of links.
func (x *Index) Surface(ordinal int, from, until int64, links []string) {
	x.rows[ordinal].flags &^= isContext
	x.date(uint32(ordinal), from, until)
	x.link(uint32(ordinal), links)
}

// Conceal undoes Surface: the document lends its words to its neighbours again and is not found itself.
func (x *Index) Conceal(ordinal int) {
	x.rows[ordinal].flags |= isContext
	if at, dated := x.spanOf(uint32(ordinal)); dated {
		x.spans = slices.Delete(x.spans, at, at+1)
		x.bytes -= spanBytes
	}
	x.unlink(uint32(ordinal))
}

// Remove lets go of documents that stand alone, given in order. Their numbers are not given again.
func (x *Index) Remove(ordinals []int) {
	if len(ordinals) == 0 {
		return
	}
	for _, o := range ordinals {
		x.Conceal(o)
		x.length -= int64(x.lengths[o])
		x.lengths[o] = 0
	}
	x.gone += len(ordinals)
	removed := func(p posting) bool {
		_, found := slices.BinarySearch(ordinals, int(p.ordinal()))
		return found
	}
	first := newPosting(uint32(ordinals[0]), 0)
	for t, list := range x.turns {
		if n := len(list); n > 0 && list[n-1] >= first {
			x.turns[t] = slices.DeleteFunc(list, removed)
			x.bytes -= int64(n-len(x.turns[t])) * 2 * postingBytes
		}
	}
}

// date notes the time a document speaks of, if it speaks of one.
func (x *Index) date(ordinal uint32, from, until int64) {
	if until <= from {
		return
	}
	at, _ := x.spanOf(ordinal)
	x.spans = slices.Insert(x.spans, at, span{ordinal, from, until})
	x.bytes += spanBytes
}

// spanOf is where the span of a document stands, or would.
func (x *Index) spanOf(ordinal uint32) (at int, found bool) {
	return slices.BinarySearchFunc(x.spans, ordinal, func(s span, o uint32) int { return cmp.Compare(s.ordinal, o) })
}

// read gathers the terms of text, marks in r what its words are, and counts its content words. A text that may be in
// one of several languages is read as each.
func (x *Index) read(text string, r *row) (terms []int32, length int) {
	x.heard = x.words.hear(x.heard[:0], text)
	as := judge(x.words.telling(x.heard), &x.talk, x.lang)
	if as.sure {
		x.talk[as.lang.nth]++
	}
	r.names = as.lang.names(text)
	terms = x.terms[:0]
	for _, w := range x.heard {
		known := x.words.meet(as.lang, w)
		r.flags |= known.flags()
		if known.term() != stopWord {
			terms = append(terms, known.term())
			length++
		}
		for l := range as.others.each {
			if other := x.words.meet(l, w); other.term() != stopWord && other.term() != known.term() {
				terms = append(terms, other.term())
			}
		}
	}
	x.terms = terms
	for len(x.turns) < len(x.words.terms) {
		x.turns, x.sessions = append(x.turns, nil), append(x.sessions, nil)
	}
	return terms, length
}

// follow joins a document of so many terms to the end of its thread.
func (x *Index) follow(r *row, ordinal uint32, id int64, terms int) {
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
	th.turns++
}

// post enters the terms of a document into both kinds of posting lists.
func (x *Index) post(ordinal, thread uint32, terms []int32) {
	slices.Sort(terms)
	for len(terms) > 0 {
		t, n := terms[0], 1
		for n < len(terms) && terms[n] == t {
			n++
		}
		x.turns[t] = append(x.turns[t], newPosting(ordinal, n))
		if thread != none {
			x.sessions[t] = count(x.sessions[t], thread, n)
		}
		x.bytes += 2 * postingBytes
		terms = terms[n:]
	}
}

// count adds n to thread's entry of a list kept in thread order. Threads of several rooms grow side by side, so the
// entry is near the end but not always last.
func count(list []posting, thread uint32, n int) []posting {
	i := len(list)
	for i > 0 && list[i-1].ordinal() > thread {
		i--
	}
	if i > 0 && list[i-1].ordinal() == thread {
		list[i-1] = newPosting(thread, int(list[i-1].count())+n)
		return list
	}
	return slices.Insert(list, i, newPosting(thread, n))
}

// Name lets author be meant by name in a query. Every word of the name that is not a stop word means them.
func (x *Index) Name(author int64, name string) {
	for w := range words(name) {
		if !x.lang.stop[w.folded] && !slices.Contains(x.names[w.folded], author) {
			x.names[w.folded] = append(x.names[w.folded], author)
			x.bytes += nameBytes
		}
	}
}

// Before is the document said before it in the thread, -1 when there is none.
func (x *Index) Before(ordinal int) int { return neighbour(x.rows[ordinal].prev) }

// After is the document said next in the thread, -1 when there is none.
func (x *Index) After(ordinal int) int { return neighbour(x.rows[ordinal].next) }

func neighbour(ordinal uint32) int {
	if ordinal == none {
		return -1
	}
	return int(ordinal)
}

// At is when the document was said, as given to Add.
func (x *Index) At(ordinal int) int64 { return x.rows[ordinal].at }

// Asks says that the document holds a question.
func (x *Index) Asks(ordinal int) bool { return x.rows[ordinal].flags&asksSome != 0 }

// asking says whether text holds a question and ends in one. What trails in brackets is a note about the text.
func asking(text string) uint8 {
	if !strings.Contains(text, "?") && !strings.Contains(text, "？") && !strings.Contains(text, "؟") {
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
