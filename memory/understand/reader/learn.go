package reader

import (
	"math"
	"math/rand/v2"
	"slices"
)

// dense are weights while they are fitted: a row for each feature that occurs often enough.
type dense struct {
	labels int
	row    map[hash]int32
	// w are the weights, sum the sums of their squared gradients, for the rate at which each still learns.
	w, sum []float32
	// least is the smallest weight that is kept in a file.
	least float64
}

// add implements weights.
func (d *dense) add(features []hash, scores []float32) {
	for _, f := range features {
		if r, ok := d.row[f]; ok {
			d.addRow(r, scores)
		}
	}
}

func (d *dense) addRow(row int32, scores []float32) {
	for y, w := range d.w[int(row)*d.labels : int(row+1)*d.labels] {
		scores[y] += w
	}
}

// newDense returns weights of 0 for the features that each hands to use so many times.
func newDense(labels, rare int, least float64, each func(use func([]hash))) *dense {
	count := map[hash]int{}
	each(func(features []hash) {
		for _, f := range features {
			count[f]++
		}
	})
	d := &dense{labels: labels, row: map[hash]int32{}, least: least}
	var kept []hash
	for f, n := range count {
		if n >= rare {
			kept = append(kept, f)
		}
	}
	slices.Sort(kept)
	for i, f := range kept {
		d.row[f] = int32(i)
	}
	d.w, d.sum = make([]float32, len(kept)*labels), make([]float32, len(kept)*labels)
	return d
}

func (d *dense) rows(features []hash) []int32 {
	out := make([]int32, 0, len(features))
	for _, f := range features {
		if r, ok := d.row[f]; ok {
			out = append(out, r)
		}
	}
	return out
}

// How the weights learn: Adagrad's rate, the decay of weights, and the share of features that an example hides, so that
// no single word decides.
const (
	rate    = 0.1
	dropout = 0.3
	// ignored is the largest gradient that is left out, which saves most of the time.
	ignored = 0.002
	// sparsity pulls weights to 0, so that most are not needed at all. Without it the reader is larger and reads worse.
	sparsity = 0.015
)

func (d *dense) update(row int32, y int, gradient float32) {
	at := int(row)*d.labels + y
	w := d.w[at] - stepOf(gradient, &d.sum[at])
	shrink := float32(sparsity*rate) / float32(math.Sqrt(float64(d.sum[at]+1e-3)))
	switch {
	case w > shrink:
		w -= shrink
	case w < -shrink:
		w += shrink
	default:
		w = 0
	}
	d.w[at] = w
}

// stepOf returns the step against a gradient, and adds its square to sum.
func stepOf(gradient float32, sum *float32) float32 {
	*sum += float32(gradient * gradient)
	return float32(rate*gradient) / float32(math.Sqrt(float64(*sum+1e-3)))
}

func (d *dense) updateAll(rows []int32, y int, gradient float32) {
	if gradient > ignored || gradient < -ignored {
		for _, row := range rows {
			d.update(row, y, gradient)
		}
	}
}

// shown appends the rows that an example does not hide.
func shown(rows, to []int32, r *rand.Rand) []int32 {
	for _, row := range rows {
		if r.Float32() >= dropout {
			to = append(to, row)
		}
	}
	return to
}

// inEpochs calls learn with all numbers below n in a random order, epoch by epoch. The weights become their mean over the
// later half of the epochs.
func (d *dense) inEpochs(epochs, n int, r *rand.Rand, learn func(int)) {
	mean := make([]float32, len(d.w))
	order := r.Perm(n)
	for epoch := range epochs {
		r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			learn(i)
		}
		if epoch >= epochs/2 {
			for i, w := range d.w {
				mean[i] += w
			}
		}
	}
	for i, sum := range mean {
		d.w[i] = sum / float32(epochs-epochs/2)
	}
}

// decision is one choice to learn: the rows of its features, the right label, and how much it counts.
type decision struct {
	rows   []int32
	label  int
	weight float32
}

// learn fits the weights to decisions, by logistic regression.
func (d *dense) learn(all []decision, epochs int) {
	r := rand.New(rand.NewPCG(uint64(d.labels), 1))
	scores := make([]float32, d.labels)
	var rows []int32
	d.inEpochs(epochs, len(all), r, func(n int) {
		clear(scores)
		rows = shown(all[n].rows, rows[:0], r)
		for _, row := range rows {
			d.addRow(row, scores)
		}
		softmax(scores)
		scores[all[n].label]--
		for y, gradient := range scores {
			d.updateAll(rows, y, gradient*all[n].weight)
		}
	})
}

// choice is one choice among several things with one weight per feature.
type choice struct {
	rows  [][]int32
	right int
}

// choose fits the weights to choices.
func (d *dense) choose(all []choice, epochs int) {
	r := rand.New(rand.NewPCG(7, 1))
	var scores []float32
	d.inEpochs(epochs, len(all), r, func(n int) {
		scores = scores[:0]
		var rows [][]int32
		for _, option := range all[n].rows {
			rows = append(rows, shown(option, nil, r))
			var score [1]float32
			for _, row := range rows[len(rows)-1] {
				d.addRow(row, score[:])
			}
			scores = append(scores, score[0])
		}
		softmax(scores)
		scores[all[n].right]--
		for i, gradient := range scores {
			d.updateAll(rows[i], 0, gradient)
		}
	})
}

// calibrated fits how often decisions are right to how sure they are.
func calibrated(sure []float32, right []bool) calibration {
	c := calibration{1, 0}
	if len(sure) == 0 {
		return c
	}
	for range 2000 {
		var slope, offset float64
		for i, p := range sure {
			e := c.of(p)
			if right[i] {
				e--
			}
			slope += e * logit(p)
			offset += e
		}
		c.slope -= float32(slope / float64(len(sure)))
		c.offset -= float32(offset / float64(len(sure)))
	}
	return c
}
