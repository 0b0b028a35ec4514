// Package recent keeps the last results of pure functions, since a talk comes back to the same texts turn after turn.
package recent

import "sync"

// Cache keeps the last results of a function of one argument. Results are shared, so nobody may change them.
type Cache[K comparable, V any] struct {
	of    func(K) V
	limit int
	mu    sync.Mutex
	young map[K]V
	older map[K]V
}

// New returns a cache of the results of a function that keeps the last limit results at least, and twice as many at most.
func New[K comparable, V any](limit int, of func(K) V) *Cache[K, V] {
	return &Cache[K, V]{of: of, limit: limit}
}

// Get returns the result for a key.
func (c *Cache[K, V]) Get(key K) V {
	if v, known := c.find(key); known {
		return v
	}
	v := c.of(key) // without the lock: two may compute the same
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, v)
	return v
}

func (c *Cache[K, V]) find(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, known := c.young[key]
	if known {
		return v, true
	}
	if v, known = c.older[key]; known {
		c.keep(key, v)
	}
	return v, known
}

// keep adds a result to the young ones. As soon as there are as many as the limit, the older ones are dropped for them.
func (c *Cache[K, V]) keep(key K, v V) {
	if c.young == nil || len(c.young) == c.limit {
		c.young, c.older = map[K]V{}, c.young
	}
	c.young[key] = v
}
