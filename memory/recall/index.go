package recall

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// indexCache holds the word indexes of the scopes recalled from lately. Its content can be dropped at any time, because
// it is rebuilt from the store. The zero value is empty and ready.
type indexCache struct {
	mu     sync.Mutex
	scopes map[scope.Key]*scopeIndex
	clock  int64
	// total is the sum of the weights of scopes.
	total int64
	// words is the vocabulary of the indexes that are loaded from now on.
	words *lexical.Vocabulary
	// maxWords is the size in bytes at which a new vocabulary is begun, because scopes come and go, but words stay; 0 for
	// none.
	maxWords int64
	// languages holds, by persona, the language a text is read in until the talk shows its own; English where missing.
	languages map[string]*lexical.Language
}

// scopeIndex is the word index of one scope, kept in step with the store.
type scopeIndex struct {
	key  scope.Key
	lang *lexical.Language
	// vocabulary holds the words of the index, nil for one of its own.
	vocabulary *lexical.Vocabulary
	// bare leaves out the entities of memories, so that they are found by their words alone.
	bare bool
	// used, weight and cached are guarded by the cache's lock: when the scope was last used, its size in bytes then, and
	// its row cache.
	used, weight int64
	cached       *rowCache
	// section is what the index holds of the scope, older the parts before it, newest first. isPart marks one of those.
	section
	older  []olderPart
	isPart bool

	// mu is read-locked by searches and write-locked while the index changes.
	mu    sync.RWMutex
	words *lexical.Index
	// entries holds what each document of words stands for, by ordinal.
	entries []indexEntry
	// told holds the kinds of facts that each entry tells, by ordinal; see understand.Analysis.
	told []uint64
	// standing and pinned are the ordinals of what surfaces for every query, oldest first.
	standing, pinned []int
	// dormant counts the dormant entries.
	dormant int
	// byMemory holds the ordinals of the entries that stand for memories, in order of the memories' ids.
	byMemory    []uint32
	authors     map[int64]indexedAuthor
	lastMessage int64
	lastMemory  int64
	// vectors are loaded when a query first searches by meaning.
	vectors scopeVectors

	// perMessage is about how many bytes a message of this scope takes, 0 if that is not known yet.
	perMessage int64
	// at is the revision of the scope that the index has read.
	at     model.ScopeRevision
	loaded bool
	// rows caches the rows recalled from the scope lately.
	rows *rowCache
}

// indexEntry is what one document stands for: a message, the memory made of it, or a memory without a message.
type indexEntry struct {
	message, memory int64
	salience        float32
	// dormant entries are found only by a strong match.
	dormant bool
	// class is that of the memory.
	class class
}

// SetLanguage sets the language of talk with persona, a BCP 47 tag, used until the talk itself shows another. An empty
// tag or an unsupported language means English.
func (s *Store) SetLanguage(persona, tag string) {
	c := &s.index
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.languages == nil {
		c.languages = map[string]*lexical.Language{}
	}
	c.languages[persona] = lexical.Named(tag)
	maps.DeleteFunc(c.scopes, func(key scope.Key, x *scopeIndex) bool {
		if key.Persona != persona {
			return false
		}
		c.total -= x.weight
		return true
	})
}

// get returns the index of key, or a new empty one.
func (c *indexCache) get(key scope.Key) *scopeIndex {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.scopes == nil {
		c.scopes = map[scope.Key]*scopeIndex{}
	}
	x := c.scopes[key]
	if x == nil {
		x = c.empty(key)
		x.vocabulary = c.vocabulary()
		c.scopes[key] = x
	}
	c.clock++
	x.used = c.clock
	return x
}

// vocabulary returns the vocabulary for a new index. Scopes share it, because most of what a small scope would take is
// its own copy of everyday words.
func (c *indexCache) vocabulary() *lexical.Vocabulary {
	if c.words == nil || c.maxWords > 0 && c.words.Bytes() > c.maxWords {
		c.words = lexical.NewVocabulary()
	}
	return c.words
}

// empty returns an index of key that has loaded nothing.
func (c *indexCache) empty(key scope.Key) *scopeIndex {
	return &scopeIndex{key: key, lang: cmp.Or(c.languages[key.Persona], lexical.English)}
}

// bare returns an index of key that holds words alone and is not cached.
func (c *indexCache) bare(key scope.Key) *scopeIndex {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.empty(key)
	x.bare = true
	x.reset()
	return x
}

// holds reports whether a loaded index of key is cached.
func (c *indexCache) holds(key scope.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.scopes[key]
	return x != nil && x.weight > 0
}

// The budget is divided among the scopes that are used.
const (
	// largestShare is the part of the budget, in quarters, that one scope may take at most. Two large scopes that are used
	// in turn get half of that each.
	largestShare = 3
	// largeShare is the part of the budget, as a divisor, from which a scope counts as large, and rivalUses how many recalls
	// ago it was used at most.
	largeShare = 16
	rivalUses  = 512
)

// room returns how many bytes the index of x may take: its share among the large scopes, and what none of them uses.
func (c *indexCache) room(x *scopeIndex, budget int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := budget / 4 * largestShare
	if x.weight > 0 && x.weight < budget/largeShare {
		return most
	}
	rivals, others := int64(1), int64(0)
	for _, s := range c.scopes {
		if s != x && s.weight >= budget/largeShare && c.clock-s.used < rivalUses {
			rivals++
			others += s.weight
		}
	}
	return max(most/rivals, most-others, min(most, x.weight+budget-c.total))
}

// noteRows notes the row cache of x.
func (c *indexCache) noteRows(x *scopeIndex, rows *rowCache) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.cached = rows
}

// tick returns the time of the cache.
func (c *indexCache) tick() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock
}

// enforceBudget records the size of x in bytes. If all scopes together exceed budget, it drops the row caches of the least
// recently used, then their indexes.
func (c *indexCache) enforceBudget(x *scopeIndex, bytes, budget int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.scopes[x.key] != x {
		return // dropped meanwhile
	}
	c.total += bytes - x.weight
	x.weight = bytes
	if c.words != nil {
		budget -= min(c.words.Bytes(), budget/2)
	}
	if c.total <= budget {
		return
	}
	oldest := slices.SortedFunc(maps.Values(c.scopes), func(a, b *scopeIndex) int { return cmp.Compare(a.used, b.used) })
	for _, s := range oldest {
		if c.total > budget && s != x && s.cached != nil {
			freed := s.cached.drop()
			s.weight -= freed
			c.total -= freed
		}
	}
	for _, s := range oldest {
		if c.total > budget && s != x {
			c.total -= s.weight
			delete(c.scopes, s.key)
		}
	}
}

// scopeSet is what one recall may search: the indexes of the visible scopes in the order of the visibility's audiences,
// in step with the transaction.
type scopeSet struct {
	at     []model.ScopeRevision
	scopes []*scopeIndex
	kept   []*rowCache
}

// scopeSet brings the word indexes of all visible scopes in step with the store.
func (s *Store) scopeSet(tx *db.Tx, h scope.Visibility) (scopeSet, error) {
	at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
	if err != nil {
		return scopeSet{}, err
	}
	r := scopeSet{at: at}
	for _, now := range at {
		// Locks are taken while a reader is held, one at a time, and never the other way round.
		x := s.index.get(scope.Key{Persona: h.Persona(), Audience: now.Audience})
		kept, _, err := x.catchUp(tx, now, s.index.room(x, s.indexBudget))
		if err != nil {
			return scopeSet{}, err
		}
		r.scopes, r.kept = append(r.scopes, x), append(r.kept, kept)
	}
	for i, now := range at {
		parts, kept, err := r.scopes[i].heldOlder(tx, now)
		if err != nil {
			return scopeSet{}, err
		}
		r.scopes, r.kept = append(r.scopes, parts...), append(r.kept, kept...)
	}
	return r, nil
}

// enforceBudget keeps the indexes within the budget after a recall, whose scopes it drops last.
func (s *Store) enforceBudget(r scopeSet) {
	for i := range r.at {
		x := r.scopes[i]
		x.mu.RLock()
		rows, bytes := x.rows, x.bytes()
		x.mu.RUnlock()
		s.index.noteRows(x, rows)
		s.index.enforceBudget(x, bytes, s.indexBudget)
	}
}

// catchUp brings x in step with the store. It reads new rows when some were added, repairs changed or removed rows when
// it knows which they are, and otherwise rebuilds the index. An index that has outgrown room bytes is rebuilt without its
// oldest talk. It returns the row cache as this transaction may use it, and whether x changed.
func (x *scopeIndex) catchUp(tx *db.Tx, now model.ScopeRevision, room int64) (kept *rowCache, moved bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.loaded && (now.Epoch < x.at.Epoch || now.Epoch == x.at.Epoch && now.Revision < x.at.Revision || now.Names < x.at.Names) {
		return new(rowCache), false, nil // another search has read a newer revision than this transaction sees
	}
	if x.loaded && x.ownBytes() > room {
		if err := x.outgrow(tx, room); err != nil {
			return nil, false, err
		}
	}
	moved = !x.loaded || now.Revision != x.at.Revision || now.Epoch != x.at.Epoch || now.Names != x.at.Names
	if moved {
		if err := x.advance(tx, now, room); err != nil {
			x.reset() // partly read: the next caller starts over
			return nil, false, err
		}
	}
	x.at, x.loaded = now, true
	return x.rows, moved, nil
}

// advance applies what changed in the scope up to now.
func (x *scopeIndex) advance(tx *db.Tx, now model.ScopeRevision, room int64) error {
	mended := x.loaded
	if mended && now.Epoch != x.at.Epoch {
		var err error
		if mended, err = x.repair(tx, now); err != nil {
			return err
		}
	}
	if !mended {
		x.reset()
		if !x.bare && !x.isPart {
			if err := x.holdNewest(tx, room); err != nil {
				return err
			}
		}
	} else if now.Names != x.at.Names {
		x.dropNames()
	}
	return x.grow(tx)
}

// dropNames drops what depends on the names of people and rooms.
func (x *scopeIndex) dropNames() {
	x.rows = new(rowCache)
	for id := range x.authors {
		x.authors[id] = indexedAuthor{}
	}
}

// bytes estimates the size of the index. Call it with the index locked.
func (x *scopeIndex) bytes() int64 {
	return x.ownBytes() + x.rows.size() + x.vectors.bytes() + x.olderBytes()
}

// ownBytes estimates the size of what words find.
func (x *scopeIndex) ownBytes() int64 { return x.words.Bytes() + int64(len(x.entries))*entryBytes }

// entryBytes is the size of an entry, with the slack of a grown slice and the memory's place in byMemory.
const entryBytes = 53

// ordinalOf returns the ordinal of a memory.
func (x *scopeIndex) ordinalOf(memory int64) (ordinal int, indexed bool) {
	at, found := x.placeOf(memory)
	if !found {
		return 0, false
	}
	return int(x.byMemory[at]), true
}

// placeOf returns the position of a memory in byMemory, or its insertion point.
func (x *scopeIndex) placeOf(memory int64) (at int, found bool) {
	if n := len(x.byMemory); n == 0 || x.entries[x.byMemory[n-1]].memory < memory {
		return n, false
	}
	return slices.BinarySearchFunc(x.byMemory, memory, func(o uint32, id int64) int { return cmp.Compare(x.entries[o].memory, id) })
}

func (x *scopeIndex) reset() {
	if x.words = lexical.New(x.lang); x.vocabulary != nil {
		x.words = lexical.NewIn(x.vocabulary, x.lang)
	}
	if !x.bare {
		x.words.UseConcepts(conceptsOf)
	}
	x.entries, x.told, x.standing, x.pinned, x.byMemory, x.dormant = nil, nil, nil, nil, nil, 0
	x.authors, x.rows, x.vectors = map[int64]indexedAuthor{}, new(rowCache), scopeVectors{}
	if !x.isPart {
		x.section, x.older = everything, nil
	}
	x.lastMessage, x.lastMemory = x.afterMessage, x.afterMemory
	x.at, x.loaded = model.ScopeRevision{}, false
}
