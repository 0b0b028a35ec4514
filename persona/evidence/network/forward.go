package network

import (
	"math/rand/v2"
)

// Scores are what the network says of an input.
type Scores struct {
	// Words holds for each line how likely each of its words is part of the answer.
	Words [][]float32
	// None is how likely nothing answers. All probabilities add up to 1.
	None float32
}

// Score returns how likely each word answers.
func (n *Network) Score(in *Input) Scores {
	p := n.forward(in, nil)
	s := Scores{None: p.scores[len(p.scores)-1]}
	rest := p.scores
	for _, l := range in.lines {
		k := l.words.rows()
		s.Words, rest = append(s.Words, rest[:k]), rest[k:]
	}
	return s
}

// pass is one pass through the network, with what the gradient needs of it.
type pass struct {
	net     *Network
	in      *Input
	drop    *dropout
	asked   matrix // the words of the question
	askedA  matrix // the second part of their sum
	askedW  matrix // the first one
	largest []int  // which word of the question has the largest of each number
	pool    []float32
	whole   []float32 // the question
	lines   []linePass
	none    []float32 // the input of "none"
	noneH   []float32
	// scores are the probabilities of all words and of none, kept what dropout left of whole.
	scores []float32
	kept   []float32
}

type linePass struct {
	word, firstA, first, secondA, second, looks, attends, aligned, mix, hide matrix
	keptMix, keptHide                                                        matrix
}

func (n *Network) forward(in *Input, drop *dropout) *pass {
	p := &pass{net: n, in: in, drop: drop}
	p.readQuestion()
	words := 0
	for _, l := range in.lines {
		words += l.words.rows()
	}
	p.scores = make([]float32, 0, words+1)
	base := make([]float32, hidden)
	n.question.apply(base, p.whole)
	for _, l := range in.lines {
		p.lines = append(p.lines, p.readLine(l, base))
	}
	p.none = append(append(make([]float32, 0, noneIn), p.whole...), in.none...)
	p.noneH = make([]float32, none)
	n.nothing.apply(p.noneH, p.none)
	tanh(p.noneH)
	var score [1]float32
	n.nothingScore.apply(score[:], p.noneH)
	p.scores = append(p.scores, score[0])
	softmax(p.scores)
	return p
}

func (p *pass) readQuestion() {
	n, rows := p.net, p.in.asked.rows()
	p.askedW, p.askedA, p.asked = newMatrix(rows, width), newMatrix(rows, width), newMatrix(rows, width)
	for i := range rows {
		n.asked.apply(p.askedW.row(i), p.in.asked.row(i))
		tanh(p.askedW.row(i))
	}
	var window [around * width]float32
	for i := range rows {
		p.askedW.window(window[:], i)
		n.askedAround.apply(p.askedA.row(i), window[:])
		tanh(p.askedA.row(i))
		copy(p.asked.row(i), p.askedW.row(i))
		add(p.asked.row(i), 1, p.askedA.row(i))
	}
	p.pool, p.largest = make([]float32, width), make([]int, width)
	for c := range width {
		for i := range rows {
			if p.asked.row(i)[c] > p.asked.row(p.largest[c])[c] {
				p.largest[c] = i
			}
		}
		p.pool[c] = p.asked.row(p.largest[c])[c]
	}
	p.whole = append(append(make([]float32, 0, questions), p.pool...), p.in.whole...)
	p.kept = p.drop.some(p.whole)
}

func (p *pass) readLine(l lineInput, base []float32) (x linePass) {
	n, rows := p.net, l.words.rows()
	x.word, x.firstA, x.first = newMatrix(rows, width), newMatrix(rows, width), newMatrix(rows, width)
	x.secondA, x.second = newMatrix(rows, width), newMatrix(rows, width)
	x.looks, x.attends, x.aligned = newMatrix(rows, width), newMatrix(rows, p.asked.rows()), newMatrix(rows, width)
	x.mix, x.hide = newMatrix(rows, mixed), newMatrix(rows, hidden)
	if p.drop != nil {
		x.keptMix, x.keptHide = newMatrix(rows, mixed), newMatrix(rows, hidden)
	}
	for i := range rows {
		n.word.apply(x.word.row(i), l.words.row(i))
		tanh(x.word.row(i))
	}
	var window [around * width]float32
	convolve := func(by *layer, from, part, to matrix) {
		for i := range rows {
			from.window(window[:], i)
			by.apply(part.row(i), window[:])
			tanh(part.row(i))
			copy(to.row(i), from.row(i))
			add(to.row(i), 1, part.row(i))
		}
	}
	convolve(&n.first, x.word, x.firstA, x.first)
	convolve(&n.second, x.first, x.secondA, x.second)
	ofLine := append([]float32(nil), base...)
	n.line.apply(ofLine, l.values)
	var straight [1]float32
	n.straightLine.apply(straight[:], l.values)
	for i := range rows {
		looks, attends, aligned := x.looks.row(i), x.attends.row(i), x.aligned.row(i)
		n.match.apply(looks, x.second.row(i))
		for q := range attends {
			attends[q] = dot(looks, p.asked.row(q))
		}
		softmax(attends)
		for q, a := range attends {
			add(aligned, a, p.asked.row(q))
		}
		mix := x.mix.row(i)
		copy(mix, l.words.row(i)[dims:])
		copy(mix[fixed:], x.second.row(i))
		copy(mix[fixed+width:], aligned)
		for c := range width {
			mix[fixed+2*width+c] = aligned[c] * looks[c]
			mix[fixed+3*width+c] = looks[c] * p.pool[c]
		}
		hide := x.hide.row(i)
		if p.drop != nil {
			p.drop.keep(x.keptMix.row(i)[fixed:], mix[fixed:])
		}
		copy(hide, ofLine)
		n.mix.apply(hide, mix)
		tanh(hide)
		if p.drop != nil {
			p.drop.keep(x.keptHide.row(i), hide)
		}
		score := straight
		n.straight.apply(score[:], mix)
		n.score.apply(score[:], hide)
		p.scores = append(p.scores, score[0])
	}
	return x
}

// dropout leaves out numbers at random while the network learns (Srivastava et al. 2014). A nil one leaves out none.
type dropout struct {
	random *rand.Rand
	share  float32
}

// some leaves out some numbers and returns by what each was multiplied.
func (d *dropout) some(v []float32) []float32 {
	if d == nil {
		return nil
	}
	kept := make([]float32, len(v))
	d.keep(kept, v)
	return kept
}

func (d *dropout) keep(kept, v []float32) {
	for i := range v {
		if d.random.Float32() >= d.share {
			kept[i] = 1 / (1 - d.share)
		}
		v[i] *= kept[i]
	}
}
