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

// numberConcepts reads the words "w0" to "w9" as the concept 7 in different kinds.
type numberConcepts struct{}

func (numberConcepts) Stem(word string) string { return word }

func (numberConcepts) In(stems []string, found []Mention) []Mention {
	for i, stem := range stems {
		if len(stem) == len("w0") {
			found = append(found, Mention{Concept: 7, Kind: uint32(stem[1] - '0'), From: i, To: i + 1})
		}
	}
	return found
}

// TestABulkIndexEqualsAGrownOne adds the same documents, some of which are long, to one index at once and to another in
// turn, and then removes some from both.
func TestABulkIndexEqualsAGrownOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	said := make([]Document, 400)
	for i := range said {
		var words []string
		size := 1 + rng.IntN(9)
		if i%16 == 0 {
			size *= passageTerms / 2
		}
		for range size {
			words = append(words, "w"+strconv.Itoa(int(rng.ExpFloat64()*20)))
		}
		said[i] = Document{Text: strings.Join(words, " "), Thread: rng.Int64N(9), Author: rng.Int64N(3), At: int64(i)}
	}
	one, other := New(English), New(English)
	for _, x := range []*Index{one, other} {
		x.UseConcepts(func(string) Concepts { return numberConcepts{} })
	}
	one.Begin()
	one.Prepare(said[:200])
	for i := range said {
		if i == 300 {
			one.Finish()
		}
		one.Add(said[i])
		other.Add(Document{Text: said[i].Text, Thread: said[i].Thread, Author: said[i].Author, At: said[i].At})
	}
	compareIndexes(t, one, other)
	gone := []int{3, 16, 160, 161, 352, 399}
	one.Remove(gone)
	other.Remove(gone)
	compareIndexes(t, one, other)
	if len(one.passages) == 0 || len(one.mentions(7)) == 0 {
		t.Error("the documents have no passages or no concepts")
	}
	for _, p := range one.mentions(7) {
		if slices.Contains(gone, int(p.ordinal())) {
			t.Errorf("document %d is gone but still mentions the concept", p.ordinal())
		}
	}
	one.Clear()
	if len(one.mentions(7)) > 0 || len(one.spoken) > 0 || one.parts != 0 {
		t.Error("a cleared index holds something")
	}
}

func compareIndexes(t *testing.T, one, other *Index) {
	t.Helper()
	if !slices.Equal(one.passages, other.passages) || one.parts != other.parts || !slices.Equal(one.mentions(7), other.mentions(7)) {
		t.Fatal("passages or concepts differ")
	}
	for stem := range other.words.terms {
		turns, sessions, passages := one.lists(stem)
		wantTurns, wantSessions, wantPassages := other.lists(stem)
		if !slices.Equal(turns, wantTurns) || !slices.Equal(sessions, wantSessions) || !slices.Equal(passages, wantPassages) {
			t.Fatalf("%s: got %v, %v, %v, want %v, %v, %v", stem, turns, sessions, passages, wantTurns, wantSessions, wantPassages)
		}
	}
	for _, q := range []string{"w1 w30", "w7", "w12 w3 w60"} {
		got := Search([]*Index{one}, Query{Text: q, Limit: 30})
		if want := Search([]*Index{other}, Query{Text: q, Limit: 30}); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", q, got, want)
		}
	}
}
