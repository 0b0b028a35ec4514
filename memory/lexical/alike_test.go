package lexical

import (
	"testing"
	"time"

	"familiar/internal/torture"
)

// A search scores only a bounded number of near-identical documents in detail, the newest, and still finds what differs.
func TestSearchAmongNearIdenticalDocuments(t *testing.T) {
	n, bound := 50_000, 10*time.Second
	if torture.On() {
		n, bound = 1_000_000, 500*time.Millisecond
	}
	x := New(English)
	for i := range n {
		text := "The build of the tower failed again"
		if i == n/2 {
			text = "The build of the mill failed again"
		}
		x.Add(Document{Text: text, Author: ann, Thread: int64(1 + i/1000), At: int64(i), Links: []string{"tower"}})
	}
	week := []TimeRange{{From: 0, Until: int64(n)}}
	for _, c := range []struct {
		query    string
		from, to int // where the first must be: the newest have fewer turns after them
	}{{"why did the tower build fail?", n - 5, n - 1}, {"and the mill?", n / 2, n / 2}} {
		Search([]*Index{x}, Query{Text: c.query, Limit: 40}) // makes room
		started := time.Now()
		found := Search([]*Index{x}, Query{Text: c.query, Limit: 40, Times: week})
		Linked([]*Index{x}, found[:3])
		if took := time.Since(started); took > bound {
			t.Errorf("%q took %v among %d", c.query, took, n)
		}
		if len(found) != 40 || found[0].Ordinal < c.from || found[0].Ordinal > c.to {
			t.Errorf("%q found %v, want one of %d to %d first", c.query, ordinals(found), c.from, c.to)
		}
	}
}
