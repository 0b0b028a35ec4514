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

// indexBudget is how many bytes the word indexes of all scopes may take together. The least recently used go first;
// one scope larger than the budget is kept as long as it is the one in use.
const indexBudget = 192 << 20

// indexCache keeps the word index of each scope that was lately recalled from. What it holds can be lost at any time:
// it is built from the store again. Its zero value is empty and ready.
type indexCache struct {
	mu     sync.Mutex
	scopes map[scope.Key]*scopeIndex
	clock  int64
	// languages are what talk with a persona is read as before it shows its own, English where missing.
	languages map[string]*lexical.Language
}

// scopeIndex is one scope's talk as words, kept in step with the store.
type scopeIndex struct {
	key  scope.Key
	lang *lexical.Language
	// bare leaves out what its memories speak of: they are found by their words alone.
	bare bool
	// used and weight belong to the cache's lock: when the scope was last asked for, and how many bytes it took then.
	used, weight int64

	// mu is held for reading by searches and for writing while the index grows.
	mu    sync.RWMutex
	words *lexical.Index
	// entries say what each document of words stands for, by ordinal.
	entries []indexEntry
	// standing and pinned are the ordinals of what surfaces whatever is asked, oldest first.
	standing, pinned []int
	// dormant is how many entries are.
	dormant int
	// ordinals are where each memory stands.
	ordinals    map[int64]int
	authors     map[int64]bool
	lastMessage int64
	lastMemory  int64
	// vectors are loaded when somebody asks by meaning.
	vectors scopeVectors

	// at says what the index has seen of the store.
	at     model.ScopeRevision
	loaded bool
	// kept is what was lately recalled from the scope.
	kept *rowCache
}

// indexEntry is what one document stands for: a message, the memory made of it, or a memory without a message.
type indexEntry struct {
	message, memory int64
	author          int64
	salience        float32
	// dormant says that only a strong match finds it.
	dormant bool
}

// Reply says that talk with persona is in the language of tag, as BCP 47 writes it, until it shows another. Without, or
// in a language that is not read, it is taken for English.
func (s *Store) Reply(persona, tag string) {
	c := &s.index
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.languages == nil {
		c.languages = map[string]*lexical.Language{}
	}
	c.languages[persona] = lexical.Named(tag)
	maps.DeleteFunc(c.scopes, func(key scope.Key, _ *scopeIndex) bool { return key.Persona == persona })
}

// get returns the index of key, an empty one that was never loaded when there is none.
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

// empty is an index of key that was never loaded.
func (c *indexCache) empty(key scope.Key) *scopeIndex {
	return &scopeIndex{key: key, lang: cmp.Or(c.languages[key.Persona], lexical.English)}
}

// bare is an index of key that knows words alone and is not kept.
func (c *indexCache) bare(key scope.Key) *scopeIndex {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.empty(key)
	x.bare = true
	x.reset()
	return x
}

// holds says that an index of key was loaded and is kept.
func (c *indexCache) holds(key scope.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.scopes[key]
	return x != nil && x.weight > 0
}

// weigh notes that x takes so many bytes, and drops the scopes unused for longest while all together take more than
// budget.
func (c *indexCache) weigh(x *scopeIndex, bytes, budget int64) {
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

// reach is what one recall may draw on, in the order of the hearing's audiences and in step with its transaction.
type reach struct {
	at     []model.ScopeRevision
	scopes []*scopeIndex
	kept   []*rowCache
}

// reach brings the word indexes of all that may be heard in step with the store.
func (s *Store) reach(tx *db.Tx, h scope.Visibility) (reach, error) {
	at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
	if err != nil {
		return reach{}, err
	}
	r := reach{at: at}
	for _, now := range at {
		// Locks are taken while a reader is held, one at a time, and never the other way round.
		x := s.index.get(scope.Key{Persona: h.Persona(), Audience: now.Audience})
		kept, moved, err := x.catchUp(tx, now)
		if err != nil {
			return reach{}, err
		}
		if moved {
			s.index.weigh(x, x.bytes(), indexBudget)
		}
		r.scopes, r.kept = append(r.scopes, x), append(r.kept, kept)
	}
	return r, nil
}

// catchUp brings x in step with the store: with the new rows when some were added, by those that were changed or removed
// where it is known which they are, else from the start. It returns what is kept of the scope's rows as the transaction reads them, and whether x had to
// move.
func (x *scopeIndex) catchUp(tx *db.Tx, now model.ScopeRevision) (kept *rowCache, moved bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.loaded && (now.Epoch < x.at.Epoch || now.Epoch == x.at.Epoch && now.Revision < x.at.Revision || now.Names < x.at.Names) {
		return new(rowCache), false, nil // another search has seen more than this transaction does
	}
	moved = !x.loaded || now.Revision != x.at.Revision || now.Epoch != x.at.Epoch || now.Names != x.at.Names
	if moved {
		if err := x.move(tx, now); err != nil {
			x.reset() // half-grown: the next caller starts over
			return nil, false, err
		}
	}
	x.at, x.loaded = now, true
	return x.kept, moved, nil
}

// move takes in what happened to the scope up to now.
func (x *scopeIndex) move(tx *db.Tx, now model.ScopeRevision) error {
	mended := x.loaded
	if mended && now.Epoch != x.at.Epoch {
		var err error
		if mended, err = x.mend(tx, now); err != nil {
			return err
		}
	}
	if !mended {
		x.reset()
	} else if now.Names != x.at.Names {
		x.forgetNames()
	}
	return x.grow(tx)
}

// forgetNames lets go of what depends on what people and rooms are called.
func (x *scopeIndex) forgetNames() {
	x.kept = new(rowCache)
	for id := range x.authors {
		x.authors[id] = false
	}
}

// bytes is about what the index takes.
func (x *scopeIndex) bytes() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words.Bytes() + int64(len(x.entries))*entryBytes +
		x.kept.size() + x.vectors.bytes()
}

// entryBytes is what an entry takes, with the slack of a grown slice and its memory's place in a map.
const entryBytes = 80

func (x *scopeIndex) reset() {
	x.words = lexical.New(x.lang)
	x.entries, x.standing, x.pinned, x.ordinals, x.dormant = nil, nil, nil, map[int64]int{}, 0
	x.authors, x.kept, x.vectors = map[int64]bool{}, new(rowCache), scopeVectors{}
	x.lastMessage, x.lastMemory = 0, 0
	x.at, x.loaded = model.ScopeRevision{}, false
}
