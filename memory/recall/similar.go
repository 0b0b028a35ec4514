package recall

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// Pair is the ids of two similar memories.
type Pair struct{ A, B int64 }

const (
	// linkCandidates is how many of the nearest memories are compared with a new one, maxLinksEach how many of them it
	// is linked to.
	linkCandidates = 16
	maxLinksEach   = 5
	// minTermOverlap is the share of the longer one's terms that two memories must have in common to be linked,
	// minSharedTerms their least number.
	minTermOverlap = 0.5
	minSharedTerms = 2
	// linkParallel is how many scopes are searched at a time. Turns keep half of the readers.
	linkParallel = db.MaxReaders / 2
	// linkCacheBytes is how many bytes of terms are kept from one scope to the next.
	linkCacheBytes = 32 << 20
)

// Similar returns, for new memories in order of id, the pairs with similar older memories. It works scope by scope, so
// that each is read once.
func (s *Store) Similar(ctx context.Context, memories []model.Memory) ([]Pair, error) {
	scopes := byScope(memories)
	found := make([][]Pair, len(memories))
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(linkParallel, len(scopes)) {
		g.Go(func() error {
			k := newPairFinder(s, memories, found)
			for i := int(next.Add(1)) - 1; i < len(scopes); i = int(next.Add(1)) - 1 {
				err := s.db.Read(ctx, "find similar memories", func(tx *db.Tx) error { return k.find(tx, scopes[i]) })
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := g.Wait()
	return slices.Concat(found...), err
}

// SimilarIn is Similar within one transaction.
func (s *Store) SimilarIn(tx *db.Tx, memories []model.Memory) ([]Pair, error) {
	k := newPairFinder(s, memories, make([][]Pair, len(memories)))
	for _, of := range byScope(memories) {
		if err := k.find(tx, of); err != nil {
			return nil, err
		}
	}
	return slices.Concat(k.found...), nil
}

// byScope groups the positions of memories by scope, the scopes in order of first appearance.
func byScope(memories []model.Memory) (scopes [][]int) {
	at := map[scope.Key]int{}
	for i, m := range memories {
		key := scope.Key{Persona: m.Persona, Audience: m.Audience}
		n, known := at[key]
		if !known {
			n, scopes = len(scopes), append(scopes, nil)
			at[key] = n
		}
		scopes[n] = append(scopes[n], i)
	}
	return scopes
}

// pairFinder finds similar memories, one scope after the other.
type pairFinder struct {
	store    *Store
	memories []model.Memory
	// found holds the pairs of each memory.
	found [][]Pair
	// words is the index into which a scope that is not cached is read. Its reader's cache carries over to the next
	// scope.
	words *lexical.Index
	// terms reads the texts to compare.
	terms *lexical.Reader
}

func newPairFinder(s *Store, memories []model.Memory, found [][]Pair) *pairFinder {
	return &pairFinder{store: s, memories: memories, found: found, terms: lexical.NewReader()}
}

// find searches one scope for pairs of the memories at some positions.
func (k *pairFinder) find(tx *db.Tx, places []int) (err error) {
	var x *scopeIndex
	for _, i := range places {
		m := k.memories[i]
		if m.Tier == model.Sensory || m.SupersededBy != 0 || !m.Kind.Recallable() || m.Kind.Foreign() {
			continue // what was said in passing is alike to nothing
		}
		if len(k.terms.Terms(lexical.Detect(m.Text), m.Text)) < minSharedTerms {
			continue
		}
		if x == nil {
			if x, err = k.scope(tx, scope.Key{Persona: m.Persona, Audience: m.Audience}); err != nil {
				return err
			}
		}
		if k.found[i], err = k.similar(tx, x, m); err != nil {
			return err
		}
	}
	if k.terms.Bytes() > linkCacheBytes {
		k.terms = lexical.NewReader()
	}
	return nil
}

// scope returns the index of a scope: the cached one if there is one, else one that holds only words and is reused for
// the next scope. Linking visits more scopes than the cache holds and would fill it with those nobody asks about.
func (k *pairFinder) scope(tx *db.Tx, key scope.Key) (*scopeIndex, error) {
	if k.store.index.holds(key) {
		r, err := k.store.scopeSet(tx, scope.NewVisibility(key.Persona, key.Audience))
		if err != nil {
			return nil, err
		}
		return r.scopes[0], nil
	}
	x := k.store.index.bare(key)
	if k.words == nil || k.words.Bytes() > linkCacheBytes {
		k.words = x.words
	}
	k.words.Clear()
	x.words = k.words
	return x, x.grow(tx)
}

// similar returns the pairs of a memory with similar ones in the scope, the most similar first.
func (k *pairFinder) similar(tx *db.Tx, x *scopeIndex, m model.Memory) (pairs []Pair, err error) {
	type near struct {
		id    int64
		share float64
	}
	var found []near
	as := lexical.Detect(m.Text)
	terms := k.terms.Terms(as, m.Text)
	nearest := x.nearest(m)
	texts, err := durableTexts(tx, nearest)
	if err != nil {
		return nil, err
	}
	for _, id := range nearest {
		text, lasting := texts[id]
		if !lasting {
			continue // sensory, or gone since the index was read
		}
		if share := TermOverlap(terms, k.terms.Terms(as, text)); share >= minTermOverlap {
			found = append(found, near{id, share})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.share, a.share) })
	for _, n := range found[:min(maxLinksEach, len(found))] {
		pairs = append(pairs, Pair{m.ID, n.id})
	}
	return pairs, nil
}

// durableTexts returns the texts of those memories that are not sensory.
func durableTexts(tx *db.Tx, memories []int64) (map[int64]string, error) {
	in, args := db.Placeholders(memories)
	texts := make(map[int64]string, len(memories))
	_, err := db.Collect[int64](tx.Query(`SELECT id, text FROM memories WHERE tier <> 'sensory' AND id IN `+in, args...))(
		func(row db.Scanner) (id int64, err error) {
			var text string
			err = row.Scan(&id, &text)
			texts[id] = text
			return id, err
		})
	return texts, err
}

// nearest returns the older memories of the scope that match a memory's words best.
func (x *scopeIndex) nearest(m model.Memory) (ids []int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	younger := func(_, ordinal int) bool { e := x.entries[ordinal]; return e.memory == 0 || e.memory >= m.ID }
	for _, match := range lexical.Search([]*lexical.Index{x.words}, lexical.Query{Text: m.Text, Limit: linkCandidates, WithoutConcepts: true, Skip: younger}) {
		ids = append(ids, x.entries[match.Ordinal].memory)
	}
	return ids
}

// DistinctTerms returns the content terms of text, read in the language of the gist, without duplicates.
func DistinctTerms(of lexical.Gist, text string) []string {
	terms := of.Terms(text)
	slices.Sort(terms)
	return slices.Compact(terms)
}

// TermOverlap returns the share of the longer list that both have in common, 0–1; 0 for fewer than minSharedTerms
// common terms. The lists must not contain duplicates.
func TermOverlap[T comparable](a, b []T) float64 {
	both := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			both++
		}
	}
	if both < minSharedTerms {
		return 0
	}
	return float64(both) / float64(max(len(a), len(b)))
}

// ScanPair reads a row of two ids.
func ScanPair(row db.Scanner) (p Pair, err error) {
	err = row.Scan(&p.A, &p.B)
	return p, err
}
