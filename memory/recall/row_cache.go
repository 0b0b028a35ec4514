package recall

import (
	"slices"
	"sync"

	"familiar/memory/lexical"
	"familiar/memory/model"
)

// rowCacheBudget is how many bytes of recalled rows are kept of one scope, about six thousand memories with what was said
// around them. What does not fit any more makes room by dropping all: the next recalls read their own again.
const rowCacheBudget = 4 << 20

// keptTalk keeps what recall lately read of a scope: memories and lines, which never change while the scope's epoch
// and names stay. What does change in a memory, how often it was recalled, is read anew each time.
type rowCache struct {
	mu       sync.Mutex
	memories map[int64]model.Memory
	lines    map[int64]nearbyLine
	terms    map[readAs][]string
	bytes    int64
}

// readAs is a memory read as in a language.
type readAs struct {
	id   int64
	lang *lexical.Language
}

// memoryBytes and lineBytes are about what a row takes beside its texts, with its place in a map, termBytes what a term
// does.
const (
	memoryBytes = 400
	lineBytes   = 160
	termBytes   = 24
)

// memory is a memory that was read before.
func (k *rowCache) memory(id int64) (m model.Memory, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m, known = k.memories[id]
	return m, known
}

// line is a line that was read before.
func (k *rowCache) line(id int64) (l nearbyLine, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l, known = k.lines[id]
	return l, known
}

func (k *rowCache) addMemory(m model.Memory) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.evict(memoryBytes + int64(len(m.Text)+len(m.Author)+len(m.RoomTitle)))
	k.memories[m.ID] = m
}

func (k *rowCache) addLine(l nearbyLine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.evict(lineBytes + int64(len(l.Text)+len(l.Author)))
	k.lines[l.MessageID] = l
}

// termsOf are the content terms of m, read in the query's language: whatever is asked, the same memories are compared.
func (k *rowCache) termsOf(m model.Memory, query lexical.Gist) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	as := readAs{m.ID, query.Language()}
	terms, known := k.terms[as]
	if !known {
		terms = query.Terms(m.Text)
		k.addTerms(as, terms)
	}
	return terms
}

// addTerms needs k to be locked, or nobody else's.
func (k *rowCache) addTerms(as readAs, terms []string) {
	k.evict(lineBytes + int64(len(terms))*termBytes)
	k.terms[as] = terms
}

// without is what is still kept once memories were changed: the others, and where none of them is gone the lines, since
// what may stand there hangs on what is remembered. Whoever reads as of before goes on with k.
func (k *rowCache) without(changed []int64, gone bool) *rowCache {
	k.mu.Lock()
	defer k.mu.Unlock()
	left := new(rowCache)
	for id, m := range k.memories {
		if !slices.Contains(changed, id) {
			left.addMemory(m)
		}
	}
	for as, terms := range k.terms {
		if _, same := left.memories[as.id]; same {
			left.addTerms(as, terms)
		}
	}
	if !gone {
		for _, l := range k.lines {
			left.addLine(l)
		}
	}
	return left
}

func (k *rowCache) evict(bytes int64) {
	if k.memories == nil || k.bytes+bytes > rowCacheBudget {
		k.memories, k.lines, k.terms, k.bytes = map[int64]model.Memory{}, map[int64]nearbyLine{}, map[readAs][]string{}, 0
	}
	k.bytes += bytes
}

func (k *rowCache) size() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes
}
