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

// indexBudget is how many bytes the word indexes of all scopes may take together. The least recently used are dropped
// first. A scope larger than the budget stays while it is in use.
const indexBudget = 192 << 20

// indexCache holds the word indexes of the scopes recalled from lately. Its content can be dropped at any time, because
// it is rebuilt from the store. The zero value is empty and ready.
type indexCache struct {
	mu     sync.Mutex
	scopes map[scope.Key]*scopeIndex
	clock  int64
	// languages holds, by persona, the language a text is read in until the talk shows its own; English where missing.
	languages map[string]*lexical.Language
}

// scopeIndex is the word index of one scope, kept in step with the store.
type scopeIndex struct {
	key  scope.Key
	lang *lexical.Language
	// bare leaves out the entities of memories, so that they are found by their words alone.
	bare bool
	// used and weight are guarded by the cache's lock: when the scope was last used, and its size in bytes then.
	used, weight int64

	// mu is read-locked by searches and write-locked while the index changes.
	mu    sync.RWMutex
	words *lexical.Index
	// entries holds what each document of words stands for, by ordinal.
	entries []indexEntry
	// standing and pinned are the ordinals of what surfaces for every query, oldest first.
	standing, pinned []int
	// dormant counts the dormant entries.
	dormant int
	// ordinals maps each memory to its ordinal.
	ordinals    map[int64]int
	authors     map[int64]bool
	lastMessage int64
	lastMemory  int64
	// vectors are loaded when a query first searches by meaning.
	vectors scopeVectors

	// at is the revision of the scope that the index has read.
	at     model.ScopeRevision
	loaded bool
	// rows caches the rows recalled from the scope lately.
	rows *rowCache
}

// indexEntry is what one document stands for: a message, the memory made of it, or a memory without a message.
type indexEntry struct {
	message, memory int64
	author          int64
	salience        float32
	// dormant entries are found only by a strong match.
	dormant bool
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
	maps.DeleteFunc(c.scopes, func(key scope.Key, _ *scopeIndex) bool { return key.Persona == persona })
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
		c.scopes[key] = x
	}
	c.clock++
	x.used = c.clock
	return x
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

// enforceBudget records the size of x in bytes and drops the least recently used scopes while all together exceed
// budget.
func (c *indexCache) enforceBudget(x *scopeIndex, bytes, budget int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.weight = bytes
	var total int64
	for _, s := range c.scopes {
		total += s.weight
	}
	if total <= budget {
		return
	}
	oldest := slices.SortedFunc(maps.Values(c.scopes), func(a, b *scopeIndex) int { return cmp.Compare(a.used, b.used) })
	for _, s := range oldest {
		if total <= budget {
			return
		}
		if s != x {
			total -= s.weight
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
		kept, moved, err := x.catchUp(tx, now)
		if err != nil {
			return scopeSet{}, err
		}
		if moved {
			s.index.enforceBudget(x, x.bytes(), indexBudget)
		}
		r.scopes, r.kept = append(r.scopes, x), append(r.kept, kept)
	}
	return r, nil
}

// catchUp brings x in step with the store. It reads new rows when some were added, repairs changed or removed rows when
// it knows which they are, and otherwise rebuilds the index. It returns the row cache as this transaction may use it,
// and whether x changed.
func (x *scopeIndex) catchUp(tx *db.Tx, now model.ScopeRevision) (kept *rowCache, moved bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.loaded && (now.Epoch < x.at.Epoch || now.Epoch == x.at.Epoch && now.Revision < x.at.Revision || now.Names < x.at.Names) {
		return new(rowCache), false, nil // another search has read a newer revision than this transaction sees
	}
	moved = !x.loaded || now.Revision != x.at.Revision || now.Epoch != x.at.Epoch || now.Names != x.at.Names
	if moved {
		if err := x.advance(tx, now); err != nil {
			x.reset() // partly read: the next caller starts over
			return nil, false, err
		}
	}
	x.at, x.loaded = now, true
	return x.rows, moved, nil
}

// advance applies what changed in the scope up to now.
func (x *scopeIndex) advance(tx *db.Tx, now model.ScopeRevision) error {
	mended := x.loaded
	if mended && now.Epoch != x.at.Epoch {
		var err error
		if mended, err = x.repair(tx, now); err != nil {
			return err
		}
	}
	if !mended {
		x.reset()
	} else if now.Names != x.at.Names {
		x.dropNames()
	}
	return x.grow(tx)
}

// dropNames drops what depends on the names of people and rooms.
func (x *scopeIndex) dropNames() {
	x.rows = new(rowCache)
	for id := range x.authors {
		x.authors[id] = false
	}
}

// bytes estimates the size of the index.
func (x *scopeIndex) bytes() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words.Bytes() + int64(len(x.entries))*entryBytes +
		x.rows.size() + x.vectors.bytes()
}

// entryBytes is the size of an entry, with the slack of a grown slice and the memory's slot in a map.
const entryBytes = 80

func (x *scopeIndex) reset() {
	x.words = lexical.New(x.lang)
	if !x.bare {
		x.words.UseConcepts(conceptsOf)
	}
	x.entries, x.standing, x.pinned, x.ordinals, x.dormant = nil, nil, nil, map[int64]int{}, 0
	x.authors, x.rows, x.vectors = map[int64]bool{}, new(rowCache), scopeVectors{}
	x.lastMessage, x.lastMemory = 0, 0
	x.at, x.loaded = model.ScopeRevision{}, false
}
