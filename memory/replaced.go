package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// maxReplacedKept bounds how many places' replaced values are kept in memory.
const maxReplacedKept = 256

// replacedCache keeps the replaced values of the places spoken in lately: every recall asks for them, and they change
// only when their scopes do.
type replacedCache struct {
	mu    sync.Mutex
	kept  map[string]replacedKept
	order []string // oldest first
}

type replacedKept struct {
	scopes []ScopeRevision
	values []Replaced
}

// ReplacedValues are the values that must no longer be taken for true in a place, oldest first: what packs recalled
// talk marks or masks them. The slice is shared: do not change it.
func (s *Store) ReplacedValues(ctx context.Context, h Hearing) ([]Replaced, error) {
	// The scopes are read before the values: values of a later moment are only read once too often.
	scopes, err := s.Revision(ctx, h.persona, h.audiences)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(h.persona, h.audiences)
	if values, ok := s.replaced.get(key, scopes); ok {
		return values, nil
	}
	where, args := h.where("b")
	var values []Replaced
	err = s.read(ctx, "read replaced values", func(tx *conn) error {
		heard, err := collect[Belief](tx.rows(beliefColumns+` WHERE `+where+` ORDER BY b.id`, args...))(scanBelief)
		values = replacedAmong(settle(heard))
		return err
	})
	if err != nil {
		return nil, err
	}
	s.replaced.put(key, replacedKept{scopes, values})
	return values, nil
}

func (c *replacedCache) get(key string, scopes []ScopeRevision) ([]Replaced, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[key]
	return k.values, ok && slices.Equal(k.scopes, scopes)
}

func (c *replacedCache) put(key string, k replacedKept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]replacedKept{}
	}
	if _, ok := c.kept[key]; !ok {
		c.order = append(c.order, key)
	}
	c.kept[key] = k
	if len(c.order) > maxReplacedKept {
		delete(c.kept, c.order[0])
		c.order = c.order[1:]
	}
}
