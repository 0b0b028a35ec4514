package reader

import "math"

// labels returns the right label of each token.
func (e *example) labels() []int {
	out := make([]int, len(e.tokens))
	for _, g := range e.gold {
		for i := g.from; i < g.to; i++ {
			out[i] = inside
		}
	}
	for _, g := range e.gold {
		out[g.from] = begins
	}
	return out
}

// learnBounds makes one step of the conditional random field against its gradient for one passage.
func (m *model) learnBounds(d *dense, l *lattice, labels []int, rows [][]int32, sums *[bounds][bounds]float32) {
	l.reset(len(labels))
	for k := range labels {
		var scores [bounds]float32
		for _, row := range rows[k] {
			d.addRow(row, scores[:])
		}
		for y, x := range scores {
			l.emit[k][y] = math.Exp(float64(x))
		}
	}
	l.sum(&m.next)
	last, before := outside, [bounds]float64{outside: 1}
	for k, label := range labels {
		for y := range bounds {
			gradient := float32(l.forward[k][y] * l.backward[k][y])
			if y == label {
				gradient--
			}
			d.updateAll(rows[k], y, gradient)
		}
		for a := range bounds {
			for b := range bounds {
				gradient := float32(before[a] * l.step[a][b] * l.emit[k][b] * l.backward[k][b] / l.scale[k])
				if a == last && b == label {
					gradient--
				}
				if gradient != 0 {
					m.next[a][b] -= stepOf(gradient, &sums[a][b])
				}
			}
		}
		last, before = label, l.forward[k]
	}
}
