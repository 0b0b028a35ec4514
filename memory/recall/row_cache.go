package recall

import (
	"slices"
	"sync"

	"familiar/memory/lexical"
	"familiar/memory/model"
)

// rowCacheBudget is the cache size per scope in bytes, enough for about six thousand memories with the lines around
// them. When a row does not fit, everything is dropped and later recalls read their rows again.
const rowCacheBudget = 4 << 20

// rowCache caches memories and lines that recall read from a scope. They never change while the scope's epoch and names
// stay the same, so they are shared and must not be changed. Usage counts do change and are read each time.
type rowCache struct {
	mu       sync.Mutex
	memories map[int64]*model.Memory
	lines    map[int64]*nearbyLine
	terms    map[readAs][]string
	bytes    int64
}

// readAs is a memory read in a language.
type readAs struct {
	id   int64
	lang *lexical.Language
}

// Estimated sizes in bytes: a memory's and a line's row without its texts but with its map slot, and a term.
const (
	memoryBytes = 400
	lineBytes   = 160
	termBytes   = 24
)

// memory returns a cached memory, nil for none.
func (k *rowCache) memory(id int64) *model.Memory {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.memories[id]
}

// line returns a cached line, nil for none.
func (k *rowCache) line(id int64) *nearbyLine {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lines[id]
}

// addMemory caches the memory of the candidate with the id.
func (k *rowCache) addMemory(id int64, m *model.Memory) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.evict(memoryBytes + int64(len(m.Text)+len(m.Author)+len(m.RoomTitle)))
	k.memories[id] = m
}

func (k *rowCache) addLine(l *nearbyLine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.evict(lineBytes + int64(len(l.Text)+len(l.Author)))
	k.lines[l.MessageID] = l
}

// termsOf returns the content terms of m, read in the query's language. They are cached, because the same memories are
// compared for many queries.
func (k *rowCache) termsOf(id int64, m *model.Memory, query lexical.Gist) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	as := readAs{id, query.Language()}
	terms, known := k.terms[as]
	if !known {
		terms = query.Terms(m.Text)
		k.addTerms(as, terms)
	}
	return terms
}

// addTerms must be called with k locked or not yet shared.
func (k *rowCache) addTerms(as readAs, terms []string) {
	k.evict(lineBytes + int64(len(terms))*termBytes)
	k.terms[as] = terms
}

// without returns the cache without changed memories. It keeps the lines and the persona's messages only when no memory is gone, because whether a
// line may be shown depends on memories. Readers of the earlier revision go on with k.
func (k *rowCache) without(changed []int64, gone bool) *rowCache {
	k.mu.Lock()
	defer k.mu.Unlock()
	left := new(rowCache)
	for id, m := range k.memories {
		if own := id < 0; !slices.Contains(changed, id) && !(own && gone) {
			left.addMemory(id, m)
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

// drop removes everything and returns how many bytes that was. What was taken from the cache stays valid.
func (k *rowCache) drop() (bytes int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	bytes = k.bytes
	k.memories, k.lines, k.terms, k.bytes = nil, nil, nil, 0
	return bytes
}

func (k *rowCache) evict(bytes int64) {
	if k.memories == nil || k.bytes+bytes > rowCacheBudget {
		k.memories, k.lines, k.terms, k.bytes = map[int64]*model.Memory{}, map[int64]*nearbyLine{}, map[readAs][]string{}, 0
	}
	k.bytes += bytes
}

func (k *rowCache) size() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes
}
