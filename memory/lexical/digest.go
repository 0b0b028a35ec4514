package lexical

import (
	"hash/maphash"
	"slices"
)

// Digest says which terms an index contains, in four bytes a term. It is kept of an index that is not.
type Digest []uint32

var digestSeed = maphash.MakeSeed()

func digestOf(stem string) uint32 { return uint32(maphash.String(digestSeed, stem)) }

// Digest returns the digest of x.
func (x *Index) Digest() Digest {
	held := make(map[int32]bool, len(x.terms.lists))
	for i := range x.terms.lists {
		if l := &x.terms.lists[i]; l.term >= 0 && l.turns.n > 0 {
			held[l.term] = true
		}
	}
	d := make(Digest, 0, len(held))
	x.words.mu.RLock()
	defer x.words.mu.RUnlock()
	for stem, t := range x.words.terms {
		if held[t] {
			d = append(d, digestOf(stem))
		}
	}
	slices.Sort(d)
	return d
}

func (d Digest) has(stem string) bool {
	_, found := slices.BinarySearch(d, digestOf(stem))
	return found
}

// Probe asks digests about the terms of a question that was searched for in other indexes.
type Probe struct {
	terms []weighted
	// unseen counts the first terms of none of which these indexes contain a stem.
	unseen map[string]bool
	idf    float32
}

// NewProbe returns the probe of a question to scopes.
func NewProbe(scopes []*Index, text string, asker int64) Probe {
	b := prepare(scopes, &Query{Text: text, Asker: asker, WithoutConcepts: true})
	p := Probe{terms: b.terms, idf: b.idf, unseen: map[string]bool{}}
	for _, t := range b.terms {
		if !slices.ContainsFunc(scopes, func(x *Index) bool { turns, _, _ := x.postings(t.stems); return len(turns) > 0 }) {
			p.unseen[t.stems[0]] = true
		}
	}
	return p
}

// Unseen reports whether the question has a term that the searched indexes do not contain.
func (p Probe) Unseen() bool { return len(p.unseen) > 0 }

// In returns the share of the question's terms, weighted by rarity, that the index of a digest contains, and whether it
// contains one that the searched indexes do not.
func (p Probe) In(d Digest) (share float64, unseen bool) {
	if p.idf == 0 {
		return 0, false
	}
	for _, t := range p.terms {
		if slices.ContainsFunc(t.stems, d.has) {
			share += float64(t.idf / p.idf)
			unseen = unseen || p.unseen[t.stems[0]]
		}
	}
	return share, unseen
}
