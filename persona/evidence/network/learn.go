package network

import (
	"math"
	"math/rand/v2"
)

// least keeps logarithms finite.
const least = 1e-9

// Learn adds to gradient how the loss of an input changes with each weight, and returns the loss: how unlikely the network finds
// the words that answer, gold[line][word], or none where none is gold. All is multiplied by weight. Meanwhile a share of the
// numbers within the network is left out, as random says.
func (n *Network) Learn(in *Input, gold [][]bool, weight, share float32, random *rand.Rand, gradient *Network) float64 {
	var drop *dropout
	if share > 0 {
		drop = &dropout{random, share}
	}
	p := n.forward(in, drop)
	ds, right := make([]float32, len(p.scores)), float32(0)
	at, any := 0, false
	for _, words := range gold {
		for _, is := range words {
			if is {
				right, any = right+p.scores[at], true
				ds[at] = 1
			}
			at++
		}
	}
	if !any {
		right, ds[at] = p.scores[at], 1
	}
	for i, s := range p.scores {
		ds[i] = weight * (s - ds[i]*s/max(right, least))
	}
	p.back(ds, gradient)
	return -float64(weight) * math.Log(float64(max(right, least)))
}

// back adds the gradient of the weights for the gradient ds of the scores.
func (p *pass) back(ds []float32, g *Network) {
	n := p.net
	dWhole, dNone := make([]float32, len(p.whole)), make([]float32, len(p.none))
	dHide := make([]float32, none)
	n.nothingScore.applyBack(&g.nothingScore, ds[len(ds)-1:], p.noneH, dHide)
	tanhBack(dHide, p.noneH)
	n.nothing.applyBack(&g.nothing, dHide, p.none, dNone)
	copy(dWhole, dNone)
	dAsked, dPool, dBase := newMatrix(p.asked.rows(), width), make([]float32, width), make([]float32, hidden)
	for i := range p.lines {
		k := p.in.lines[i].words.rows()
		p.lineBack(i, ds[:k], g, dAsked, dPool, dBase)
		ds = ds[k:]
	}
	n.question.applyBack(&g.question, dBase, p.whole, dWhole)
	for c := range width {
		d := dWhole[c]
		if p.kept != nil {
			d *= p.kept[c]
		}
		dAsked.row(p.largest[c])[c] += d + dPool[c]
	}
	p.questionBack(g, dAsked)
}

func (p *pass) questionBack(g *Network, dAsked matrix) {
	n, dWord := p.net, newMatrix(p.asked.rows(), width)
	var window, dWindow [around * width]float32
	copy(dWord.v, dAsked.v)
	for i := range p.asked.rows() {
		d := dAsked.row(i)
		tanhBack(d, p.askedA.row(i))
		p.askedW.window(window[:], i)
		clear(dWindow[:])
		n.askedAround.applyBack(&g.askedAround, d, window[:], dWindow[:])
		dWord.windowBack(dWindow[:], i)
	}
	for i := range p.asked.rows() {
		tanhBack(dWord.row(i), p.askedW.row(i))
		n.asked.applyBack(&g.asked, dWord.row(i), p.in.asked.row(i), nil)
	}
}

// lineBack adds the gradient of a line: to that of the weights, of the words of the question, of their pool, and of the question.
func (p *pass) lineBack(nth int, ds []float32, g *Network, dAsked matrix, dPool, dBase []float32) {
	n, x, l := p.net, &p.lines[nth], p.in.lines[nth]
	rows := len(ds)
	dSecond := newMatrix(rows, width)
	dLine, sum := make([]float32, hidden), float32(0)
	dMix, dHide := make([]float32, mixed), make([]float32, hidden)
	dAligned, dLooks, dAttends := make([]float32, width), make([]float32, width), make([]float32, p.asked.rows())
	for i := range rows {
		clear(dMix)
		clear(dHide)
		clear(dAligned)
		clear(dLooks)
		sum += ds[i]
		n.score.applyBack(&g.score, ds[i:i+1], x.hide.row(i), dHide)
		n.straight.applyBack(&g.straight, ds[i:i+1], x.mix.row(i), dMix)
		hide := x.hide.row(i)
		for c := range dHide {
			y := hide[c]
			if p.drop != nil {
				k := x.keptHide.row(i)[c]
				dHide[c] *= k
				if k > 0 {
					y /= k
				}
			}
			dHide[c] *= 1 - y*y
		}
		add(dLine, 1, dHide)
		n.mix.applyBack(&g.mix, dHide, x.mix.row(i), dMix)
		if p.drop != nil {
			for c, k := range x.keptMix.row(i)[fixed:] {
				dMix[fixed+c] *= k
			}
		}
		looks, attends, aligned := x.looks.row(i), x.attends.row(i), x.aligned.row(i)
		add(dSecond.row(i), 1, dMix[fixed:fixed+width])
		for c := range width {
			dMul, dUp := dMix[fixed+2*width+c], dMix[fixed+3*width+c]
			dAligned[c] = dMix[fixed+width+c] + dMul*looks[c]
			dLooks[c] = dMul*aligned[c] + dUp*p.pool[c]
			dPool[c] += dUp * looks[c]
		}
		mean := float32(0)
		for q, a := range attends {
			add(dAsked.row(q), a, dAligned)
			dAttends[q] = dot(dAligned, p.asked.row(q))
			mean += a * dAttends[q]
		}
		for q, a := range attends {
			d := a * (dAttends[q] - mean)
			add(dLooks, d, p.asked.row(q))
			add(dAsked.row(q), d, looks)
		}
		n.match.applyBack(&g.match, dLooks, x.second.row(i), dSecond.row(i))
	}
	n.line.applyBack(&g.line, dLine, l.values, nil)
	add(dBase, 1, dLine)
	n.straightLine.applyBack(&g.straightLine, []float32{sum}, l.values, nil)
	dFirst := p.convolveBack(&n.second, &g.second, x.first, x.secondA, dSecond)
	dWord := p.convolveBack(&n.first, &g.first, x.word, x.firstA, dFirst)
	for i := range rows {
		tanhBack(dWord.row(i), x.word.row(i))
		n.word.applyBack(&g.word, dWord.row(i), l.words.row(i), nil)
	}
}

// convolveBack returns the gradient of what was convolved.
func (p *pass) convolveBack(by, g *layer, from, part, d matrix) matrix {
	dFrom := newMatrix(d.rows(), width)
	copy(dFrom.v, d.v)
	var window, dWindow [around * width]float32
	for i := range d.rows() {
		tanhBack(d.row(i), part.row(i))
		from.window(window[:], i)
		clear(dWindow[:])
		by.applyBack(g, d.row(i), window[:], dWindow[:])
		dFrom.windowBack(dWindow[:], i)
	}
	return dFrom
}
