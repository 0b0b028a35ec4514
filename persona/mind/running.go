package mind

import "math"

// running computes a running mean and deviation by Welford's method: in one pass and without loss of precision.
type running struct {
	n        int
	mean, m2 float64
}

func (r *running) add(x float64) {
	r.n++
	delta := x - r.mean
	r.mean += delta / float64(r.n)
	r.m2 += delta * (x - r.mean)
}

// deviation returns the standard deviation of the values, 0 for fewer than two.
func (r *running) deviation() float64 {
	if r.n < 2 {
		return 0
	}
	return math.Sqrt(r.m2 / float64(r.n-1))
}

// score returns how many deviations x lies above the mean, 0 if there is no deviation.
func (r *running) score(x float64) float64 {
	if d := r.deviation(); d > 0 {
		return (x - r.mean) / d
	}
	return 0
}
