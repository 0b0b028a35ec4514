package evidence

import "math"

// Trees are boosted regression trees of one depth. Their sum is the log-odds that the likeliest line answers.
type Trees struct {
	// Depth is the number of tests from the root to a leaf, Base what a forest without trees says.
	Depth int
	Base  float64
	// Features and Thresholds are the tests of all trees: a tree has 2^Depth−1, each followed by those of its two branches
	// as in a heap. A value above the threshold goes right. Leaves are the values of the 2^Depth leaves.
	Features   []uint8
	Thresholds []float32
	Leaves     []float32
}

// Score returns the sum of the trees.
func (t *Trees) Score(values []float64) float64 {
	inner, leaves := 1<<t.Depth-1, 1<<t.Depth
	sum := t.Base
	for at, leaf := 0, 0; at < len(t.Features); at, leaf = at+inner, leaf+leaves {
		node := 0
		for node < inner {
			node = 2*node + 1
			if n := (node - 1) / 2; values[t.Features[at+n]] > float64(t.Thresholds[at+n]) {
				node++
			}
		}
		sum += float64(t.Leaves[leaf+node-inner])
	}
	return sum
}

// sure returns the probability for the sum of the trees.
func sure(score float64) float64 { return 1 / (1 + math.Exp(-score)) }
