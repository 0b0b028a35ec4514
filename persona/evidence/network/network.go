// Package network is a small neural network that points at the words of a talk that answer a question, or at none. Every
// word of the lines gets a score, "none" gets one too, and a softmax over all of them gives how likely each is the answer.
//
// A word is seen with what the caller says of it, its vector, and two convolutions over the words around it; the question by
// a convolution of its own. Attention gives each word the words of the question that concern it (after Seo et al. 2017,
// "Bidirectional Attention Flow"); that "none" takes part is from Rajpurkar et al. 2018, "Know What You Don't Know". The
// package holds the network and its gradient. What it learns from is in internal/lab/talk.
package network

import (
	"encoding/binary"
	"fmt"
	"math"

	"familiar/memory/wordvec"
)

// The sizes of the inputs.
const (
	// AskedFlags is how many features a word of the question has.
	AskedFlags = 6
	// LineFlags is how many features a word of a line has.
	LineFlags = 22
	// Wholes is how many features the question has as a whole.
	Wholes = 70
	// LineValues is how many features a line has.
	LineValues = 55
	dims       = wordvec.Dims
)

// The sizes of the layers.
const (
	width     = 32 // of a word within the network
	around    = 3  // words that a convolution sees
	hidden    = 32 // of a word, before its score
	none      = 16 // of "none", before its score
	askedIn   = dims + AskedFlags
	fixed     = LineFlags + derived
	wordIn    = dims + fixed
	mixed     = fixed + 4*width
	questions = width + wholeIn
	noneIn    = questions + noneFixed
)

// layer is an affine map: outputs rows of inputs weights, and a bias for each if it has any.
type layer struct {
	in, out int
	w, b    []float32
}

// Network holds the weights.
type Network struct {
	all []float32
	// asked and askedAround read the question, word, first and second the lines. match is by what a word of a line looks for words
	// of the question. mix, line and question make the hidden layer of a word, score and straight its score.
	asked, askedAround, word, first, second, match     layer
	mix, line, question, score, straight, straightLine layer
	// nothing and nothingScore score "none".
	nothing, nothingScore layer
}

// New returns a network whose weights are all 0.
func New() *Network {
	n := new(Network)
	n.lay(make([]float32, n.size()))
	return n
}

// layers returns the layers in the order of their weights.
func (n *Network) layers() []*layer {
	return []*layer{
		&n.asked, &n.askedAround, &n.word, &n.first, &n.second, &n.match, &n.mix, &n.line, &n.question, &n.score, &n.straight,
		&n.straightLine, &n.nothing, &n.nothingScore,
	}
}

// shapes are the inputs and outputs of the layers, with a bias or not.
var shapes = []struct {
	in, out int
	bias    bool
}{
	{askedIn, width, true},
	{around * width, width, true},
	{wordIn, width, true},
	{around * width, width, true},
	{around * width, width, true},
	{width, width, false},
	{mixed, hidden, true},
	{LineValues, hidden, false},
	{questions, hidden, false},
	{hidden, 1, true},
	{mixed, 1, false},
	{LineValues, 1, false},
	{noneIn, none, true},
	{none, 1, true},
}

func (n *Network) size() (sum int) {
	for _, s := range shapes {
		sum += s.in * s.out
		if s.bias {
			sum += s.out
		}
	}
	return sum
}

// lay spreads the weights over the layers.
func (n *Network) lay(all []float32) {
	n.all = all
	take := func(k int) []float32 {
		w := all[:k:k]
		all = all[k:]
		return w
	}
	for i, l := range n.layers() {
		s := shapes[i]
		l.in, l.out, l.w = s.in, s.out, take(s.in*s.out)
		if s.bias {
			l.b = take(s.out)
		}
	}
}

// Weights returns the weights, which may be changed.
func (n *Network) Weights() []float32 { return n.all }

// FanIns calls each with the weights of every layer, without biases, and its number of inputs.
func (n *Network) FanIns(each func(weights []float32, inputs int)) {
	for _, l := range n.layers() {
		each(l.w, l.in)
	}
}

// Read reads the weights as Bytes wrote them.
func Read(data string) (*Network, error) {
	n := New()
	if want := 4 * len(n.all); len(data) != want {
		return nil, fmt.Errorf("read a network: %d bytes, not %d: train it anew with `make evidence`", len(data), want)
	}
	for i := range n.all {
		n.all[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(data[4*i : 4*i+4])))
	}
	return n, nil
}

// Bytes returns the weights as little-endian 32-bit floats.
func (n *Network) Bytes() []byte {
	data := make([]byte, 0, 4*len(n.all))
	for _, w := range n.all {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(w))
	}
	return data
}
