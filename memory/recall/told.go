package recall

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"familiar/memory/lexical"
	"familiar/memory/understand"
	"familiar/memory/understand/reader"
)

const (
	// sureRecalling is how likely a query must ask for what was told for recall to look for what tells it, 0–1. It is low: many
	// people ask as if they told something.
	sureRecalling = 0.2
	// sureKind is how likely it must ask for a kind of fact, 0–1.
	sureKind = 0.04
	// sureOfAsker is how likely it must be about the asker for only their own lines to tell it, 0–1.
	sureOfAsker = 0.25
	// toldPerKind is how many lines of each kind are looked at in one scope, the newest first.
	toldPerKind = 100
	// toldPlaces is how many of the hits are kept for what most likely tells what is asked, whatever its words.
	toldPlaces = 6
	// dormantTold is how likely a dormant memory must tell what is asked to be found for that, 0–1.
	dormantTold = 0.1
)

// maxKinds is how many kinds of facts understand.Analysis tells apart.
const maxKinds = 64

// asked is what a query asks for. The zero value asks for nothing.
type asked struct {
	// kinds has a bit for each kind of fact that the query may ask for; see understand.Analysis. sure holds how likely it asks for each,
	// 0–1.
	kinds uint64
	sure  [maxKinds]float32
	// author is whose lines alone can tell it, 0 for anybody's.
	author int64
}

// kindsAsked returns what a query asks for.
func kindsAsked(q Query) *asked {
	a := new(asked)
	read := reader.Ask(q.Text)
	if read.Recalls < sureRecalling {
		return a
	}
	for n, sure := range read.Kinds[:understand.Kinds] {
		if sure >= sureKind {
			a.kinds |= 1 << n
			a.sure[n] = sure
		}
	}
	if read.OfAsker >= sureOfAsker {
		a.author = q.Asker
	}
	return a
}

// telling returns, for each scope, how likely entries tell what is asked, above 0 up to 1, by ordinal, nil if nothing is asked.
// Call it with the scopes locked.
func (a *asked) telling(scopes []*scopeIndex) []map[uint32]float32 {
	if a.kinds == 0 {
		return nil
	}
	all := make([]map[uint32]float32, len(scopes))
	for i, x := range scopes {
		all[i] = x.telling(a)
	}
	return all
}

// telling returns how likely the newest entries that tell something of the kinds asked for tell what is asked: the likelier the
// query asks for the kind, and the rarer the kind is.
func (x *scopeIndex) telling(a *asked) map[uint32]float32 {
	var seen, depth [maxKinds]int
	var found []uint32
	left := a.kinds
	for o := len(x.told) - 1; o >= 0 && left != 0; o-- {
		kinds := x.told[o] & left
		if kinds == 0 || a.author != 0 && x.words.Author(o) != a.author {
			continue
		}
		found = append(found, uint32(o))
		for m := kinds; m != 0; m &= m - 1 {
			n := bits.TrailingZeros64(m)
			if seen[n]++; seen[n] == toldPerKind {
				left &^= 1 << n
				depth[n] = len(x.told) - o
			}
		}
	}
	var worth [maxKinds]float32
	for n := range worth {
		if seen[n] > 0 {
			worth[n] = a.sure[n] * rarity(seen[n], cmp.Or(depth[n], len(x.told)), len(x.told))
		}
	}
	told := make(map[uint32]float32, len(found))
	for _, o := range found {
		for m := x.told[o] & a.kinds; m != 0; m &= m - 1 {
			told[o] = max(told[o], worth[bits.TrailingZeros64(m)])
		}
	}
	return told
}

// rarity returns how rare a kind of fact is that seen of the newest depth entries tell, all being the number of entries: 1 if
// one does, 0 if all do.
func rarity(seen, depth, all int) float32 {
	rare := math.Log(float64(all+1)*float64(depth)/(float64(all)*float64(seen))) / math.Log(float64(all+1))
	return float32(min(max(rare, 0), 1))
}

// reserve notes which entries most likely tell what a query about its asker asks for, the newer first among equals, and adds
// those that the words did not find. Among long lines it notes fewer: they tell much by the way.
func (f *rankState) reserve(scopes []*scopeIndex, told []map[uint32]float32) {
	var best []candidate
	for i, entries := range told {
		for o, sure := range entries {
			if f.skip(i, int(o)) || scopes[i].entries[o].dormant && sure < dormantTold {
				continue
			}
			c := scopes[i].candidate(i, int(o))
			c.tells, c.values[lexical.Told] = true, sure
			best = append(best, c)
		}
	}
	slices.SortFunc(best, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.values[lexical.Told], a.values[lexical.Told]), b.at.Compare(a.at), cmp.Compare(b.id, a.id))
	})
	places := int(math.Round(toldPlaces * float64(1-f.style)))
	for _, c := range best[:min(places, len(best))] {
		if at := indexOf(f.matches, c.id); at >= 0 {
			f.matches[at].tells = true
		} else {
			f.matches = append(f.matches, c)
		}
	}
}

// keepTelling exchanges what is noted as telling what is asked and is ranked behind limit with the last before limit that is
// not, in order.
func keepTelling(ranked []candidate, limit int) {
	var behind []int
	for i := limit; i < len(ranked); i++ {
		if ranked[i].tells {
			behind = append(behind, i)
		}
	}
	for to := min(limit, len(ranked)) - 1; to >= 0 && len(behind) > 0; to-- {
		if last := len(behind) - 1; !ranked[to].tells {
			ranked[to], ranked[behind[last]] = ranked[behind[last]], ranked[to]
			behind = behind[:last]
		}
	}
}
