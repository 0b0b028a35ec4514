package network

import "math"

// matrix is rows of numbers.
type matrix struct {
	cols int
	v    []float32
}

func newMatrix(rows, cols int) matrix { return matrix{cols, make([]float32, rows*cols)} }

func (m matrix) rows() int {
	if m.cols == 0 {
		return 0
	}
	return len(m.v) / m.cols
}

func (m matrix) row(i int) []float32 { return m.v[i*m.cols : (i+1)*m.cols : (i+1)*m.cols] }

// dot returns the inner product of vectors of one length.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// add adds scale·a to b.
func add(b []float32, scale float32, a []float32) {
	b = b[:len(a)]
	for i, x := range a {
		b[i] += scale * x
	}
}

// apply adds the layer's map of x to y.
func (l *layer) apply(y, x []float32) {
	for o := range y {
		y[o] += dot(x, l.w[o*l.in:(o+1)*l.in])
		if l.b != nil {
			y[o] += l.b[o]
		}
	}
}

// applyBack adds to g the gradient of the layer's weights, and to dx that of its input, unless it is nil.
func (l *layer) applyBack(g *layer, dy, x, dx []float32) {
	for o, d := range dy {
		if d == 0 {
			continue
		}
		add(g.w[o*l.in:(o+1)*l.in], d, x)
		if l.b != nil {
			g.b[o] += d
		}
		if dx != nil {
			add(dx, d, l.w[o*l.in:(o+1)*l.in])
		}
	}
}

// window copies the rows around row i into x, zeros beyond the ends.
func (m matrix) window(x []float32, i int) {
	for k := range around {
		part := x[k*m.cols : (k+1)*m.cols]
		if j := i + k - around/2; j >= 0 && j < m.rows() {
			copy(part, m.row(j))
		} else {
			clear(part)
		}
	}
}

// windowBack adds the gradient of a window to that of the matrix.
func (m matrix) windowBack(dx []float32, i int) {
	for k := range around {
		if j := i + k - around/2; j >= 0 && j < m.rows() {
			add(m.row(j), 1, dx[k*m.cols:(k+1)*m.cols])
		}
	}
}

func tanh(v []float32) {
	for i, x := range v {
		v[i] = float32(math.Tanh(float64(x)))
	}
}

// tanhBack turns the gradient of y = tanh(x) into that of x.
func tanhBack(d, y []float32) {
	for i := range d {
		d[i] *= 1 - y[i]*y[i]
	}
}

// softmax replaces scores by probabilities.
func softmax(v []float32) {
	top := float32(math.Inf(-1))
	for _, x := range v {
		top = max(top, x)
	}
	sum := float32(0)
	for i, x := range v {
		v[i] = float32(math.Exp(float64(x - top)))
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}
