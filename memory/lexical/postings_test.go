package lexical

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPostingsHoldWhatWasAdded compares the compact lists with plain slices while lists grow, shrink and are counted up.
func TestPostingsHoldWhatWasAdded(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		var p postings
		turns, sessions := map[int32][]posting{}, map[int32][]posting{}
		for ordinal := range uint32(1200) {
			for range 4 {
				term := int32(rng.ExpFloat64() * 9)
				lists := p.add(term)
				if mine := turns[term]; len(mine) > 0 && mine[len(mine)-1].ordinal() == ordinal {
					continue
				}
				turns[term] = append(turns[term], newPosting(ordinal, 1))
				p.insert(&lists.turns, int(lists.turns.n), newPosting(ordinal, 1))
				thread := ordinal/20 + rng.Uint32N(3)
				p.count(&lists.sessions, thread, 2)
				sessions[term] = countPlain(sessions[term], thread, 2)
			}
			if ordinal%150 == 149 {
				term := int32(rng.IntN(12))
				lists := p.add(term)
				gone := func(one posting) bool { return one.ordinal()%3 == ordinal%3 }
				p.replace(&lists.turns, slices.DeleteFunc(slices.Clone(p.all(&lists.turns)), gone))
				turns[term] = slices.DeleteFunc(turns[term], gone)
			}
			if ordinal == 700 {
				p.compact()
			}
		}
		for term := range int32(200) {
			var gotTurns, gotSessions []posting
			if lists := p.of(term); lists != nil {
				gotTurns, gotSessions = p.all(&lists.turns), p.all(&lists.sessions)
			}
			if !slices.Equal(gotTurns, turns[term]) || !slices.Equal(gotSessions, sessions[term]) {
				t.Fatalf("term %d: got %v and %v, want %v and %v", term, gotTurns, gotSessions, turns[term], sessions[term])
			}
		}
		p.clear()
		if p.of(1) != nil || p.bytes() > int64(cap(p.blocks))*4 {
			t.Fatal("cleared lists hold something")
		}
	}
}

func countPlain(list []posting, thread uint32, n int) []posting {
	at, found := slices.BinarySearchFunc(list, thread, func(p posting, t uint32) int { return int(p.ordinal()) - int(t) })
	if found {
		list[at] = newPosting(thread, int(list[at].count())+n)
		return list
	}
	return slices.Insert(list, at, newPosting(thread, n))
}
