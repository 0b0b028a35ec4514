package reader

import (
	"cmp"
	"math"
	"slices"
)

// The labels of tokens.
const (
	outside = iota
	begins
	inside
	bounds
)

// bracket is a possible value: the tokens [from, to), with the probability that it is one.
type bracket struct {
	from, to int
	p        float32
}

const (
	// bracketLimit is the largest number of tokens of a value.
	bracketLimit = 12
	// bracketFloor is the smallest probability of a bracket that is looked at.
	bracketFloor = 0.06
)

// lattice is a conditional random field over the labels of a passage's tokens. forward and backward are its sums from
// either end, each token's normalised by scale.
type lattice struct {
	emit, forward, backward [][bounds]float64
	scale                   []float64
	step                    [bounds][bounds]float64
}

// reset makes room for n tokens.
func (l *lattice) reset(n int) {
	if cap(l.emit) < n {
		l.emit, l.forward, l.backward = make([][bounds]float64, n), make([][bounds]float64, n), make([][bounds]float64, n)
		l.scale = make([]float64, n)
	}
	l.emit, l.forward, l.backward, l.scale = l.emit[:n], l.forward[:n], l.backward[:n], l.scale[:n]
}

// sum fills in the sums from emit and the scores of one label after another.
func (l *lattice) sum(next *[bounds][bounds]float32) {
	for a := range bounds {
		for b := range bounds {
			l.step[a][b] = math.Exp(float64(next[a][b]))
		}
	}
	l.step[outside][inside] = 0
	before := [bounds]float64{outside: 1}
	for i := range l.emit {
		var sum float64
		for y := range bounds {
			var from float64
			for x := range bounds {
				from += float64(before[x] * l.step[x][y])
			}
			l.forward[i][y] = from * l.emit[i][y]
			sum += l.forward[i][y]
		}
		for y := range bounds {
			l.forward[i][y] /= sum
		}
		l.scale[i], before = sum, l.forward[i]
	}
	after := [bounds]float64{1, 1, 1}
	for i := len(l.emit) - 1; i >= 0; i-- {
		l.backward[i] = after
		for x := range bounds {
			var sum float64
			for y := range bounds {
				sum += float64(l.step[x][y] * l.emit[i][y] * l.backward[i][y])
			}
			after[x] = sum / l.scale[i]
		}
	}
}

// probability returns how likely the tokens [from, to) are one value.
func (l *lattice) probability(from, to int) float64 {
	p, last := l.forward[from][begins], begins
	for i := from + 1; i < to; i++ {
		p *= float64(l.step[last][inside] * l.emit[i][inside] / l.scale[i])
		last = inside
	}
	if to == len(l.emit) {
		return p
	}
	end := float64(l.step[last][outside]*l.emit[to][outside]*l.backward[to][outside]) + float64(l.step[last][begins]*l.emit[to][begins]*l.backward[to][begins])
	return p * end / l.scale[to]
}

// brackets returns the likely values, the likeliest first.
func (l *lattice) brackets() []bracket {
	var all []bracket
	for from := range l.emit {
		if l.forward[from][begins]*l.backward[from][begins] < bracketFloor {
			continue
		}
		for to := from + 1; to <= min(len(l.emit), from+bracketLimit); to++ {
			if p := l.probability(from, to); p >= bracketFloor {
				all = append(all, bracket{from, to, float32(p)})
			}
		}
	}
	slices.SortFunc(all, func(a, b bracket) int {
		return cmp.Or(cmp.Compare(b.p, a.p), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	return all
}
