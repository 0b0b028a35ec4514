package talk

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"familiar/memory/understand/sentences"
	"familiar/persona/evidence"
	"familiar/persona/evidence/network"
)

// How the network learns: by Adam (Kingma and Ba 2015) on batches, with a rate that rises, then falls along a cosine (Smith and
// Topin 2018).
const (
	epochs       = 6
	batch        = 64
	shards       = 4 // parts of a batch that run side by side
	peakRate     = 2e-3
	warmUp       = 0.1 // of all steps
	firstShare   = 0.04
	lastShare    = 1e-4 // of the rate
	dropped      = 0.2
	longestSlope = 1.0
	adamMean     = 0.9
	adamSquare   = 0.999
	adamLeast    = 1e-8
	decay        = 1e-4
)

// lesson is an example as the network reads it.
type lesson struct {
	input  *network.Input
	gold   [][]bool
	weight float32
}

// FitEvidence returns a model that has learnt from probes and from questions with their answers, told says how far it is.
// questions and messages are those that the reader learns from. Each question is also asked in a longer life: among other messages
// that do not tell what it asks for. The same data give the same model.
func FitEvidence(probes []Probe, qas []QA, questions []sentences.Question, messages []sentences.Sentence, told func(string, ...any)) *evidence.Model {
	var unrelated []string
	for _, q := range questions {
		if q.Kind == "none" || q.Kind == "persona_self" {
			unrelated = append(unrelated, q.Text)
		}
	}
	all := more(append(ofProbes(probes), ofQA(qas)...), unrelated, crowd(messages))
	for _, asks := range ofLabelled(questions, messages) {
		all = append(all, asks...)
	}
	told("%d examples", len(all))
	m := &evidence.Model{Weights: fitOrder(candidatesOf(all))}
	told("the lines are in order")
	m.Network = train(lessonsOf(m, all), told)
	return m
}

// side calls each with every number below n, on all processors.
func side(n int, each func(int)) {
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				each(i)
			}
		})
	}
	wait.Wait()
}

// candidatesOf returns the lines of the questions that one of several answers.
func candidatesOf(all []example) (found []candidates) {
	each := make([]candidates, len(all))
	side(len(all), func(i int) {
		if x := all[i]; len(x.lines) > 1 && x.answered() {
			c := candidates{answers: evidence.NewCase(x.asked, languageOf(x.asked), x.lines).Answers}
			for _, s := range x.spans {
				c.gold = append(c.gold, len(s) > 0)
			}
			each[i] = c
		}
	})
	for _, c := range each {
		if len(c.answers) > 0 {
			found = append(found, c)
		}
	}
	return found
}

func lessonsOf(m *evidence.Model, all []example) (found []lesson) {
	each := make([]lesson, len(all))
	side(len(all), func(i int) { each[i] = lessonOf(m, all[i]) })
	for _, l := range each {
		if l.input != nil {
			found = append(found, l)
		}
	}
	return found
}

func lessonOf(m *evidence.Model, x example) lesson {
	c := evidence.NewCase(x.asked, languageOf(x.asked), x.lines)
	short := m.Shortlist(c)
	if len(short) == 0 {
		return lesson{}
	}
	input, words := c.Input(short)
	l := lesson{input: input, weight: float32(x.weight)}
	for i, bounds := range words {
		gold := make([]bool, len(bounds))
		for k, b := range bounds {
			for _, s := range x.spans[short[i].Line] {
				gold[k] = gold[k] || b[0] < s[1] && b[1] > s[0]
			}
		}
		l.gold = append(l.gold, gold)
	}
	return l
}

// train returns a network that has learnt the lessons.
func train(all []lesson, told func(string, ...any)) *network.Network {
	n := untrained()
	t := trainer{network: n, mean: make([]float32, len(n.Weights())), square: make([]float32, len(n.Weights()))}
	for s := range t.slopes {
		t.slopes[s] = network.New()
	}
	steps := epochs * ((len(all) + batch - 1) / batch)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	r := rand.New(rand.NewPCG(5, 6))
	for epoch := range epochs {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		loss, weight := 0.0, 0.0
		for at := 0; at < len(order); at += batch {
			l, w := t.step(all, order[at:min(at+batch, len(order))], rateAt(t.steps, steps))
			loss, weight = loss+l, weight+w
		}
		told("epoch %d of %d: loss %.4f", epoch+1, epochs, loss/weight)
	}
	return n
}

// untrained returns a network with small random weights.
func untrained() *network.Network {
	n := network.New()
	r := rand.New(rand.NewPCG(1, 2))
	n.FanIns(func(weights []float32, inputs int) {
		for i := range weights {
			weights[i] = float32((2*r.Float64() - 1) / math.Sqrt(float64(inputs)))
		}
	})
	return n
}

// rateAt returns the rate of a step.
func rateAt(step, steps int) float64 {
	rise := warmUp * float64(steps)
	from, to, way := firstShare, 1.0, float64(step)/rise
	if float64(step) > rise {
		from, to, way = 1.0, lastShare, (float64(step)-rise)/(float64(steps)-rise)
	}
	return peakRate * (to + (from-to)*(1+math.Cos(math.Pi*min(1, way)))/2)
}

// trainer changes the weights of a network.
type trainer struct {
	network      *network.Network
	slopes       [shards]*network.Network
	mean, square []float32
	steps        int
}

// step learns from a batch and returns the sums of its losses and weights.
func (t *trainer) step(all []lesson, batch []int, rate float64) (loss, weight float64) {
	for _, i := range batch {
		weight += float64(all[i].weight)
	}
	var losses [shards]float64
	t.steps++
	side(shards, func(s int) {
		clear(t.slopes[s].Weights())
		for k := s; k < len(batch); k += shards {
			l := all[batch[k]]
			r := rand.New(rand.NewPCG(uint64(t.steps), uint64(k)))
			losses[s] += t.network.Learn(l.input, l.gold, l.weight/float32(weight), dropped, r, t.slopes[s])
		}
	})
	for _, l := range losses {
		loss += l * weight
	}
	t.update(rate)
	return loss, weight
}

// update changes the weights against their slopes.
func (t *trainer) update(rate float64) {
	slope, length := t.slopes[0].Weights(), 0.0
	for _, more := range t.slopes[1:] {
		for i, x := range more.Weights() {
			slope[i] += x
		}
	}
	for _, x := range slope {
		length += float64(x) * float64(x)
	}
	scale := float32(min(1, longestSlope/(math.Sqrt(length)+adamLeast)))
	ofMean, ofSquare := 1-math.Pow(adamMean, float64(t.steps)), 1-math.Pow(adamSquare, float64(t.steps))
	for i, w := range t.network.Weights() {
		g := slope[i] * scale
		t.mean[i] = adamMean*t.mean[i] + (1-adamMean)*g
		t.square[i] = adamSquare*t.square[i] + (1-adamSquare)*g*g
		change := float64(t.mean[i]) / ofMean / (math.Sqrt(float64(t.square[i])/ofSquare) + adamLeast)
		t.network.Weights()[i] = w - float32(rate*(change+decay*float64(w)))
	}
}
