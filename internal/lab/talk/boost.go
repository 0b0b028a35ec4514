package talk

import (
	"math"
	"math/rand/v2"
	"slices"

	"familiar/persona/evidence"
)

// How the trees are grown: gradient boosting with Newton steps on the logistic loss (Friedman 2001), each tree on a random
// half of the examples.
const (
	treeDepth  = 3
	treeCount  = 250
	treeRate   = 0.05
	treeBins   = 32
	treeSample = 0.5
	// leafPrior pulls leaves to 0, leafLeast is the least curvature of a leaf.
	leafPrior = 4.0
	leafLeast = 3.0
)

// grown is one example to learn from.
type grown struct {
	values []float64
	right  bool
	weight float64
}

// grow returns trees that tell right examples from the others.
func grow(all []grown) *evidence.Trees {
	n, width := len(all), len(all[0].values)
	cuts := make([][]float64, width)
	bins := make([][]uint8, width)
	for f := range width {
		column := make([]float64, n)
		for i, x := range all {
			column[i] = x.values[f]
		}
		sorted := slices.Sorted(slices.Values(column))
		for b := 1; b < treeBins; b++ {
			if c := float64(float32(sorted[b*(n-1)/treeBins])); len(cuts[f]) == 0 || c > cuts[f][len(cuts[f])-1] {
				cuts[f] = append(cuts[f], c)
			}
		}
		bins[f] = make([]uint8, n)
		for i, v := range column {
			for int(bins[f][i]) < len(cuts[f]) && v > cuts[f][bins[f][i]] {
				bins[f][i]++
			}
		}
	}
	t := &evidence.Trees{Depth: treeDepth}
	score := make([]float64, n)
	r := rand.New(rand.NewPCG(1, 2))
	for range treeCount {
		g := &grower{all: all, cuts: cuts, bins: bins, gradient: make([]float64, n), curve: make([]float64, n), node: make([]int, n)}
		for i, x := range all {
			p := 1 / (1 + math.Exp(-score[i]))
			y := 0.0
			if x.right {
				y = 1
			}
			g.gradient[i], g.curve[i] = x.weight*(y-p), x.weight*p*(1-p)
			if r.Float64() < treeSample {
				g.sample = append(g.sample, i)
			}
		}
		leaves := g.tree(t)
		for i := range all {
			score[i] += leaves[g.leafOf(i)]
		}
	}
	return t
}

// grower grows one tree.
type grower struct {
	all             []grown
	cuts            [][]float64
	bins            [][]uint8
	gradient, curve []float64
	sample          []int
	node            []int
	features        [1<<treeDepth - 1]int
	tests           [1<<treeDepth - 1]int // bins
}

func (g *grower) tree(t *evidence.Trees) []float64 {
	for level := range treeDepth {
		first := 1<<level - 1
		for node := first; node < 2*first+1; node++ {
			g.split(node)
		}
		for _, i := range g.sample {
			g.node[i] = g.next(g.node[i], i)
		}
	}
	leaves := make([]float64, 1<<treeDepth)
	curves := make([]float64, 1<<treeDepth)
	for _, i := range g.sample {
		leaf := g.node[i] - (1<<treeDepth - 1)
		leaves[leaf] += g.gradient[i]
		curves[leaf] += g.curve[i]
	}
	for l := range leaves {
		leaves[l] = float64(float32(treeRate * leaves[l] / (curves[l] + leafPrior)))
		t.Leaves = append(t.Leaves, float32(leaves[l]))
	}
	for n, f := range g.features {
		t.Features = append(t.Features, uint8(f))
		threshold := math.MaxFloat32
		if g.tests[n] < len(g.cuts[f]) {
			threshold = g.cuts[f][g.tests[n]]
		}
		t.Thresholds = append(t.Thresholds, float32(threshold))
	}
	return leaves
}

func (g *grower) next(node, i int) int {
	if int(g.bins[g.features[node]][i]) > g.tests[node] {
		return 2*node + 2
	}
	return 2*node + 1
}

func (g *grower) leafOf(i int) int {
	node := 0
	for node < 1<<treeDepth-1 {
		node = g.next(node, i)
	}
	return node - (1<<treeDepth - 1)
}

// split finds the best test of a node. Without one everything goes left.
func (g *grower) split(node int) {
	g.features[node], g.tests[node] = 0, treeBins
	var in []int
	sum, curve := 0.0, 0.0
	for _, i := range g.sample {
		if g.node[i] == node {
			in = append(in, i)
			sum += g.gradient[i]
			curve += g.curve[i]
		}
	}
	worth := func(s, c float64) float64 { return s * s / (c + leafPrior) }
	best := worth(sum, curve) + 1e-9
	var sums, curves [treeBins + 1]float64
	for f := range g.bins {
		clear(sums[:])
		clear(curves[:])
		for _, i := range in {
			b := g.bins[f][i]
			sums[b] += g.gradient[i]
			curves[b] += g.curve[i]
		}
		left, weight := 0.0, 0.0
		for b := range g.cuts[f] {
			left += sums[b]
			weight += curves[b]
			if weight < leafLeast || curve-weight < leafLeast {
				continue
			}
			if w := worth(left, weight) + worth(sum-left, curve-weight); w > best {
				best, g.features[node], g.tests[node] = w, f, b
			}
		}
	}
}
