package talk

import (
	"math"

	"familiar/persona/evidence"
)

const (
	fitSteps = 300
	fitRate  = 0.05
	fitPrior = 0.002
)

// candidates are the lines of one question, and which of them answer.
type candidates struct {
	answers []evidence.Answer
	gold    []bool
}

// fitOrder returns the weights under which the lines that answer are likeliest, with a Gaussian prior.
func fitOrder(all []candidates) (w evidence.Values) {
	var speed evidence.Values
	for range fitSteps {
		var slope evidence.Values
		for _, x := range all {
			x.slope(&w, &slope)
		}
		for f := range w {
			speed[f] = 0.9*speed[f] + slope[f]/float64(len(all)) - fitPrior*w[f]
			w[f] += fitRate * speed[f]
		}
	}
	return w
}

// slope adds the gradient of the log likelihood.
func (x candidates) slope(w, slope *evidence.Values) {
	ps := make([]float64, len(x.answers))
	sum, right := 0.0, 0.0
	for i := range x.answers {
		for f, v := range x.answers[i].Values {
			ps[i] += v * w[f]
		}
		ps[i] = math.Exp(ps[i])
		sum += ps[i]
	}
	for i := range ps {
		if ps[i] /= sum; x.gold[i] {
			right += ps[i]
		}
	}
	for i := range x.answers {
		target := 0.0
		if x.gold[i] {
			target = ps[i] / right
		}
		for f, v := range x.answers[i].Values {
			slope[f] += (target - ps[i]) * v
		}
	}
}
