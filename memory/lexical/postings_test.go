package lexical

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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
				sessions[term] = countIn(sessions[term], thread, 2)
			}
			if ordinal%150 == 149 {
				term := int32(rng.IntN(12))
				lists := p.add(term)
				gone := func(one posting) bool { return one.ordinal()%3 == ordinal%3 }
				p.replace(&lists.turns, slices.DeleteFunc(slices.Clone(p.all(&lists.turns)), gone))
				turns[term] = slices.DeleteFunc(turns[term], gone)
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

// TestABulkIndexEqualsAGrownOne adds the same documents to one index at once and to another in turn.
func TestABulkIndexEqualsAGrownOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	said := make([]Document, 400)
	for i := range said {
		var words []string
		for range 1 + rng.IntN(9) {
			words = append(words, "w"+strconv.Itoa(int(rng.ExpFloat64()*20)))
		}
		said[i] = Document{Text: strings.Join(words, " "), Thread: rng.Int64N(9), Author: rng.Int64N(3), At: int64(i)}
	}
	one, other := New(English), New(English)
	one.Begin()
	one.Prepare(said[:200])
	for i := range said {
		if i == 300 {
			one.Finish()
		}
		one.Add(said[i])
		other.Add(Document{Text: said[i].Text, Thread: said[i].Thread, Author: said[i].Author, At: said[i].At})
	}
	for stem := range other.words.terms {
		turns, sessions := one.lists(stem)
		wantTurns, wantSessions := other.lists(stem)
		if !slices.Equal(turns, wantTurns) || !slices.Equal(sessions, wantSessions) {
			t.Fatalf("%s: got %v and %v, want %v and %v", stem, turns, sessions, wantTurns, wantSessions)
		}
	}
	for _, q := range []string{"w1 w30", "w7", "w12 w3 w60"} {
		got := Search([]*Index{one}, Query{Text: q, Limit: 30})
		if want := Search([]*Index{other}, Query{Text: q, Limit: 30}); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", q, got, want)
		}
	}
}
