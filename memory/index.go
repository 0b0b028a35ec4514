package memory

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"familiar/memory/lexical"
)

// indexBudget is how many bytes the word indexes of all scopes may take together. The least recently used go first;
// one scope larger than the budget is kept as long as it is the one in use.
const indexBudget = 192 << 20

// indexCache keeps the word index of each scope that was lately recalled from. What it holds can be lost at any time:
// it is built from the store again. Its zero value is empty and ready.
type indexCache struct {
	mu     sync.Mutex
	scopes map[scopeKey]*scopeIndex
	clock  int64
	// markers are those of the rooms lately packed for.
	markers map[markerKey]markedAt
}

// scopeKey is one persona's talk in one audience.
type scopeKey struct {
	persona  string
	audience Audience
}

// scopeIndex is one scope's talk as words, kept in step with the store.
type scopeIndex struct {
	key scopeKey
	// used and weight belong to the cache's lock: when the scope was last asked for, and how many bytes it took then.
	used, weight int64

	// mu is held for reading by searches and for writing while the index grows.
	mu    sync.RWMutex
	words *lexical.Index
	// entries say what each document of words stands for, by ordinal.
	entries []indexEntry
	// standing and pinned are the ordinals of what surfaces whatever is asked, oldest first.
	standing, pinned []int
	authors          map[int64]bool
	lastMessage      int64
	lastMemory       int64

	// at says what the index has seen of the store; version is the store's data version when that was last checked.
	at      ScopeRevision
	version int64
	loaded  bool
}

// indexEntry is what one document stands for: a message, the memory made of it, or a memory without a message.
type indexEntry struct {
	message, memory int64
	author          int64
	salience        float32
}

// get returns the index of key, an empty one that was never loaded when there is none.
func (c *indexCache) get(key scopeKey) *scopeIndex {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.scopes == nil {
		c.scopes = map[scopeKey]*scopeIndex{}
	}
	x := c.scopes[key]
	if x == nil {
		x = &scopeIndex{key: key}
		c.scopes[key] = x
	}
	c.clock++
	x.used = c.clock
	return x
}

// weigh notes that x takes so many bytes, and drops the scopes unused for longest while all together take more than
// budget.
func (c *indexCache) weigh(x *scopeIndex, bytes, budget int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.weight = bytes
	var total int64
	oldest := make([]*scopeIndex, 0, len(c.scopes))
	for _, s := range c.scopes {
		total += s.weight
		oldest = append(oldest, s)
	}
	if total <= budget {
		return
	}
	slices.SortFunc(oldest, func(a, b *scopeIndex) int { return cmp.Compare(a.used, b.used) })
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

// indexes returns the word indexes of all that may be heard, in the order of the audiences, in step with the store.
func (s *Store) indexes(ctx context.Context, h Hearing) ([]*scopeIndex, error) {
	version, err := s.dataVersion(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]*scopeIndex, len(h.audiences))
	var behind []*scopeIndex
	for i, a := range h.audiences {
		all[i] = s.words.get(scopeKey{h.persona, a})
		if !all[i].isAt(version) {
			behind = append(behind, all[i])
		}
	}
	if len(behind) == 0 {
		return all, nil
	}
	err = s.read(ctx, "index what was said", func(tx *conn) error {
		for _, x := range behind {
			// Locks are taken while a reader is held, one at a time, and never the other way round.
			if err := x.catchUp(tx, version); err != nil {
				return err
			}
			s.words.weigh(x, x.bytes(), indexBudget)
		}
		return nil
	})
	return all, err
}

// isAt says that nobody has written since the index was checked.
func (x *scopeIndex) isAt(version int64) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.loaded && x.version == version
}

// catchUp brings x in step with the store: with the new rows when some were added, from the start when some were
// changed or removed.
func (x *scopeIndex) catchUp(tx *conn, version int64) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	now, err := tx.scopeRevision(x.key)
	if err != nil {
		return err
	}
	if x.loaded && (now.Epoch < x.at.Epoch || now.Epoch == x.at.Epoch && now.Revision < x.at.Revision) {
		return nil // another search has seen more than this transaction does
	}
	if !x.loaded || now != x.at {
		if !x.loaded || now.Epoch != x.at.Epoch {
			x.reset()
		}
		if err := x.grow(tx); err != nil {
			x.reset() // half-grown: the next caller starts over
			return err
		}
	}
	x.at, x.loaded, x.version = now, true, version
	return nil
}

// bytes is about what the index takes.
func (x *scopeIndex) bytes() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words.Bytes() + int64(len(x.entries))*entryBytes
}

// entryBytes is what an entry takes, with the slack of a grown slice.
const entryBytes = 40

func (x *scopeIndex) reset() {
	x.words = lexical.New(lexical.English)
	x.entries, x.standing, x.pinned = nil, nil, nil
	x.authors = map[int64]bool{}
	x.lastMessage, x.lastMemory = 0, 0
	x.at, x.loaded = ScopeRevision{}, false
}
