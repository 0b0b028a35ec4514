package timeline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"familiar/memory/lifecycle"
)

// TestNothingCoversAnythingElse places random forests.
func TestNothingCoversAnythingElse(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		branches := make([]lifecycle.Branch, 1+r.IntN(300))
		for i := range branches {
			b := &branches[i]
			b.ID, b.Salience, b.Author = int64(i+1), r.Float64(), int64(r.IntN(4))
			if i > 0 && r.IntN(3) > 0 {
				above := &branches[r.IntN(i)]
				b.Within = above.ID
				above.Children++
			}
		}
		nodes, groups := place(branches)
		for i, a := range nodes {
			if a.r < 3 || math.IsNaN(a.x) || math.IsNaN(a.y) {
				t.Fatalf("seed %d: node %d stands at %+v", seed, i, a)
			}
			for j, b := range nodes[:i] {
				if far := math.Hypot(a.x-b.x, a.y-b.y); far < a.r+b.r {
					t.Fatalf("seed %d: nodes %d and %d cover each other: %+v, %+v", seed, i, j, a, b)
				}
			}
		}
		for i, b := range branches {
			if g := slices.IndexFunc(groups, func(g group) bool { return g.branch >= 0 && branches[g.branch].ID == b.Within }); g >= 0 {
				if far := math.Hypot(nodes[i].x-groups[g].x, nodes[i].y-groups[g].y); far+nodes[i].r > groups[g].r+1e-6 {
					t.Fatalf("seed %d: node %d stands outside of what contains it", seed, i)
				}
			}
		}
		if again, _ := place(branches); !slices.Equal(nodes, again) {
			t.Fatalf("seed %d: the same memories are placed differently", seed)
		}
	}
}
