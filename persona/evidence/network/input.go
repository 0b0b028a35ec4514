package network

import (
	"math"

	"familiar/memory/wordvec"
)

// Word is a word with what the caller knows of it.
type Word struct {
	Vector wordvec.Word
	// Flags are AskedFlags or LineFlags features, about 0–1.
	Flags []float32
	// Topic is how much a word of the question weighs among those that a line should share, 0 for none. Sort marks the word that
	// says what the answer is a kind of: "breed" in "which breed".
	Topic float32
	Sort  bool
}

// Line is a line of the talk.
type Line struct {
	Words []Word
	// Values are LineValues features of the line.
	Values []float32
}

// Input is a question and the lines that may answer it.
type Input struct {
	asked matrix // words × askedIn
	whole []float32
	lines []lineInput
	none  []float32
}

type lineInput struct {
	words  matrix // words × wordIn
	values []float32
}

const (
	// derived is how many features a word of a line gets from the vectors: its likeness to the topic, to the sort and to the topic as
	// a whole, whether it has a vector, and how much of the topic is near, in the same and in like words.
	derived = 4 + 2*len(reaches)
	// opening is how many of its first words a question is known by.
	opening = 3
	wholeIn = Wholes + (2+opening)*dims
	// noneFixed is what "none" sees beside the question.
	noneFixed = LineValues + 1 + 2*len(reaches)
)

// reaches are within how many words the topic counts as near.
var reaches = [3]int{2, 5, 12}

// sameAlike is the likeness from which words are the same.
const sameAlike = 0.97

type vector [dims]float32

// vectorOf returns the vector of a word at length 1, or zeros.
func vectorOf(w wordvec.Word) (v vector) {
	length := 0.0
	raw := w.Vector()
	for i := range len(raw) {
		v[i] = float32(int8(raw[i]))
		length += float64(v[i]) * float64(v[i])
	}
	if length > 0 {
		scale := float32(1 / math.Sqrt(length))
		for i := range v {
			v[i] *= scale
		}
	}
	return v
}

// NewInput prepares a question with whole features, and lines, for a network. There is at least one line.
func NewInput(asked []Word, whole []float32, lines []Line) *Input {
	vectors := make([]vector, len(asked))
	in := &Input{asked: newMatrix(len(asked), askedIn), none: make([]float32, noneFixed)}
	for i, w := range asked {
		vectors[i] = vectorOf(w.Vector)
		copy(in.asked.row(i), vectors[i][:])
		copy(in.asked.row(i)[dims:], w.Flags)
	}
	sort, topic := focus(asked, vectors)
	in.whole = append(append(append(make([]float32, 0, wholeIn), whole...), sort[:]...), topic[:]...)
	for i := range opening {
		var v vector
		if i < len(vectors) {
			v = vectors[i]
		}
		in.whole = append(in.whole, v[:]...)
	}
	weight := float32(0)
	for _, w := range asked {
		weight += w.Topic
	}
	for i := range in.none {
		in.none[i] = float32(math.Inf(-1))
	}
	in.none[LineValues] = float32(math.Log(float64(len(lines))))
	for _, l := range lines {
		in.lines = append(in.lines, in.line(l, asked, vectors, sort, topic, weight))
	}
	for i, v := range in.none {
		if math.IsInf(float64(v), 0) {
			in.none[i] = 0
		}
	}
	return in
}

// focus returns the vector of the sort of the answer, and the mean of those of the topic.
func focus(asked []Word, vectors []vector) (sort, topic vector) {
	n := float32(0)
	for i, w := range asked {
		if w.Sort {
			sort = vectors[i]
		}
		if w.Topic > 0 {
			n++
			for d, x := range vectors[i] {
				topic[d] += x
			}
		}
	}
	for d := range topic {
		topic[d] /= max(1, n)
	}
	return sort, topic
}

func (in *Input) line(l Line, asked []Word, vectors []vector, sort, topic vector, weight float32) lineInput {
	x := lineInput{newMatrix(len(l.Words), wordIn), l.Values}
	alike := newMatrix(len(l.Words), len(asked))
	for t, w := range l.Words {
		v, row := vectorOf(w.Vector), x.words.row(t)
		copy(row, v[:])
		copy(row[dims:], w.Flags)
		most := float32(0)
		for q := range asked {
			a := dot(v[:], vectors[q][:])
			alike.row(t)[q] = a
			if asked[q].Topic > 0 {
				most = max(most, a)
			}
		}
		found := row[dims+LineFlags:]
		found[0], found[1], found[2] = most, dot(v[:], sort[:]), dot(v[:], topic[:])
		if w.Vector != 0 {
			found[3] = 1
		}
	}
	for t := range l.Words {
		found := x.words.row(t)[dims+LineFlags+4:]
		for q, w := range asked {
			if w.Topic == 0 {
				continue
			}
			for i, reach := range reaches {
				most := float32(0)
				for k := max(0, t-reach); k < min(len(l.Words), t+reach+1); k++ {
					most = max(most, alike.row(k)[q])
				}
				if most > sameAlike {
					found[2*i] += w.Topic / weight
				}
				found[2*i+1] += w.Topic / weight * min(1, max(0, (most-wordvec.LeastAlike)/(wordvec.FullyAlike-wordvec.LeastAlike)))
			}
		}
		for i, f := range found {
			in.none[LineValues+1+i] = max(in.none[LineValues+1+i], f)
		}
	}
	for i, v := range l.Values {
		in.none[i] = max(in.none[i], v)
	}
	return x
}
