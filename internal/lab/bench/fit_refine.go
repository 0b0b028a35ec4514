package bench

import "familiar/memory/lexical"

// refineSteps are the steps by which single weights are changed after the fit, worthwhile is the least gain for which
// one is: smaller gains do not hold for other talk.
var refineSteps = []float32{0.4, 0.2, 0.1}

const (
	worthwhile   = 0.0003
	refinePasses = 3
)

// refiner improves fitted weights by what counts in the end, the ranks of the evidence.
type refiner struct {
	questions []weighed
	// scores are the scores of the hits by question, under the weights so far.
	scores [][]float32
	shares map[string]float64
}

// refine changes single weights, of those that are free, as long as the evidence moves up.
func refine(questions []weighed, w styled, free []int) styled {
	r := refiner{questions: questions, shares: shares(questions)}
	for i := range questions {
		q := &questions[i]
		v := w.of(q.style)
		scores := make([]float32, len(q.hits))
		for j := range q.hits {
			scores[j] = dot(&v, &q.hits[j].values)
		}
		r.scores = append(r.scores, scores)
	}
	best := r.worth(0, 0)
	for _, step := range refineSteps {
		for range refinePasses {
			moved := false
			for _, j := range free {
				for _, by := range []float32{step, -step} {
					if atLeast(j, w[j]+by) != w[j]+by {
						continue
					}
					if value := r.worth(j, by); value > best+worthwhile {
						r.move(j, by)
						w[j] += by
						best, moved = value, true
						break
					}
				}
			}
			if !moved {
				break
			}
		}
	}
	return w
}

// change returns by how much a change of a weight changes the score of a hit.
func change(q *weighed, h *weighedHit, weight int, by float32) float32 {
	if weight >= lexical.Features {
		return by * q.style * h.values[weight-lexical.Features]
	}
	return by * h.values[weight]
}

func (r *refiner) move(weight int, by float32) {
	for i := range r.questions {
		q := &r.questions[i]
		for j := range q.hits {
			r.scores[i][j] += change(q, &q.hits[j], weight, by)
		}
	}
}

// worth returns the objective with a weight changed: the mean of the figures over the corpora, in which the first ranks
// count most.
func (r *refiner) worth(weight int, by float32) (sum float64) {
	var moved []float32
	for i := range r.questions {
		q := &r.questions[i]
		moved = append(moved[:0], r.scores[i]...)
		if by != 0 {
			for j := range q.hits {
				moved[j] += change(q, &q.hits[j], weight, by)
			}
		}
		first, value := len(moved), 0.0
		for j := range q.hits {
			if !q.hits[j].gold {
				continue
			}
			rank := 0
			for k := range moved {
				if moved[k] > moved[j] || moved[k] == moved[j] && k < j {
					rank++
				}
			}
			first = min(first, rank)
			for _, k := range []int{5, 5, 10} {
				if rank < k {
					value += 1 / float64(len(q.gold))
				}
			}
		}
		if first < len(moved) {
			value += 1 / float64(first+1)
		}
		sum += r.shares[q.corpus] * value
	}
	return sum / float64(len(r.questions))
}
