package recall

import (
	"math/bits"

	"familiar/memory/entry"
	"familiar/memory/understand/reader"
)

const (
	// sureRecalling is how likely a query must ask for what was told for recall to look for what tells it, 0–1.
	sureRecalling = 0.5
	// sureKind is how likely it must ask for a kind of fact, 0–1.
	sureKind = 0.1
	// sureOfAsker is how likely it must be about the asker for only their own lines to tell it, 0–1.
	sureOfAsker = 0.5
	// toldPerKind is how many lines of each kind are looked at in one scope, the newest first.
	toldPerKind = 200
)

// asked is what a query asks for. The zero value asks for nothing.
type asked struct {
	// kinds has a bit for each kind of fact that the query may ask for; see entry.Told. sure holds how likely it asks for each,
	// 0–1.
	kinds uint64
	sure  [64]float32
	// author is whose lines may tell it, 0 for anybody's.
	author int64
}

// kindsAsked returns what a query asks for.
func kindsAsked(q Query) *asked {
	a := new(asked)
	if q.Text == "" {
		return a
	}
	read := reader.Ask(q.Text)
	if read.Recalls < sureRecalling {
		return a
	}
	for n, sure := range read.Kinds[:entry.Kinds] {
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

// matches returns, for each scope, how likely the query asks for a kind of fact that an entry tells, 0–1, by ordinal, nil if
// it asks for none. Call it with the scopes locked.
func (a *asked) matches(scopes []*scopeIndex) []map[uint32]float32 {
	if a.kinds == 0 {
		return nil
	}
	all := make([]map[uint32]float32, len(scopes))
	for i, x := range scopes {
		all[i] = x.telling(a)
	}
	return all
}

// telling returns the newest entries that tell what is asked, by ordinal.
func (x *scopeIndex) telling(a *asked) map[uint32]float32 {
	found := map[uint32]float32{}
	var seen [64]int
	wanted := a.kinds
	for o := len(x.told) - 1; o >= 0 && wanted != 0; o-- {
		kinds := x.told[o] & wanted
		if kinds == 0 || a.author != 0 && x.words.Author(o) != a.author {
			continue
		}
		var sure float32
		for m := kinds; m != 0; m &= m - 1 {
			n := bits.TrailingZeros64(m)
			sure = max(sure, a.sure[n])
			if seen[n]++; seen[n] == toldPerKind {
				wanted &^= 1 << n
			}
		}
		found[uint32(o)] = sure
	}
	return found
}
