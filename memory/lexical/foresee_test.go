package lexical

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestForeseenDocumentsAreRankedTheSame searches talk of which few documents are wanted, many of them no candidates. The search asks
// only about documents that it foresaw, and finds the same as one that foresees none.
func TestForeseenDocumentsAreRankedTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	scopes := []*Index{New(English), New(English)}
	for i := range 20_000 {
		text := "boat"
		for range 1 + rng.IntN(12) {
			text += fmt.Sprintf(" word%d", rng.IntN(30))
		}
		scopes[i%2].Add(Document{Text: text, Author: ann, Thread: int64(i / 40), At: int64(i) * hour})
	}
	for _, every := range []int{2, 50, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 50_000} {
		wanted := rng.IntN(every)
		q := Query{Text: fmt.Sprintf("boat word%d word%d", rng.IntN(30), rng.IntN(30)), Limit: 40}
		q.Skip = func(scope, ordinal int) bool { return (2*ordinal+scope)%every != wanted }
		want := Rank(scopes, q)
		foreseen, asked := map[[2]int]bool{}, q.Skip
		q.Foresee = func(scope int, ordinals []uint32) {
			for _, o := range ordinals {
				foreseen[[2]int{scope, int(o)}] = true
			}
		}
		q.Skip = func(scope, ordinal int) bool {
			if !foreseen[[2]int{scope, ordinal}] {
				t.Errorf("document %d of scope %d was not foreseen", ordinal, scope)
			}
			return asked(scope, ordinal)
		}
		if got := Rank(scopes, q); !reflect.DeepEqual(got, want) {
			t.Errorf("one in %d: %d matches, without foresight %d", every, len(got.Matches), len(want.Matches))
		}
		if every < 60 && len(want.Matches) == 0 {
			t.Errorf("one in %d: nothing was found", every)
		}
	}
}
