// Package recent keeps the last results of pure functions of texts, since a talk comes back to the same texts turn after turn.
package recent

import (
	"strings"
	"sync"
)

// Texts returns a function like of that keeps the results for the last limit texts at least, and for twice as many at most.
// Results are shared, so nobody may change them. Texts of more than longest bytes are not kept.
func Texts[V any](limit, longest int, of func(string) V) func(string) V {
	c := &cache[V]{limit: limit}
	return func(text string) V {
		if len(text) > longest {
			return of(text)
		}
		if v, known := c.find(text); known {
			return v
		}
		text = strings.Clone(text) // a word that is kept must not keep the whole message that it is cut from
		v := of(text)              // without the lock: two may compute the same
		c.add(text, v)
		return v
	}
}

// cache holds the young results, and the older ones that are dropped as soon as there are as many young ones as the limit.
type cache[V any] struct {
	limit        int
	mu           sync.Mutex
	young, older map[string]V
}

func (c *cache[V]) find(text string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, known := c.young[text]
	if known {
		return v, true
	}
	if v, known = c.older[text]; known {
		c.keep(text, v)
	}
	return v, known
}

func (c *cache[V]) add(text string, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(text, v)
}

func (c *cache[V]) keep(text string, v V) {
	if c.young == nil || len(c.young) == c.limit {
		c.young, c.older = map[string]V{}, c.young
	}
	c.young[text] = v
}
