package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"familiar/memory/wordvec"
)

// example is a question of three words and two lines.
func example() (*Input, [][]bool) {
	r := rand.New(rand.NewPCG(3, 5))
	random := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = r.Float32()
		}
		return v
	}
	word := func(w string, flags int) Word { return Word{Vector: wordvec.Find(w), Flags: random(flags)} }
	asked := []Word{word("which", AskedFlags), word("breed", AskedFlags), word("dog", AskedFlags)}
	asked[1].Topic, asked[1].Sort, asked[2].Topic = 1, true, 0.5
	lines := []Line{
		{[]Word{word("my", LineFlags), word("labrador", LineFlags), word("barks", LineFlags), word("xyzzyq", LineFlags)}, random(LineValues)},
		{[]Word{word("rain", LineFlags)}, random(LineValues)},
	}
	return NewInput(asked, random(Wholes), lines), [][]bool{{false, true, true, false}, {false}}
}

// untrained returns a network with random weights.
func untrained() *Network {
	n := New()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n.Weights() {
		n.Weights()[i] = 0.2 * float32(r.NormFloat64())
	}
	return n
}

// TestTheGradientIsThatOfTheLoss compares the gradient with differences of the loss, with dropout and without.
func TestTheGradientIsThatOfTheLoss(t *testing.T) {
	in, gold := example()
	nothing := [][]bool{make([]bool, 4), make([]bool, 1)}
	for name, tt := range map[string]struct {
		gold  [][]bool
		share float32
	}{"an answer": {gold, 0}, "no answer": {nothing, 0}, "dropout": {gold, 0.3}} {
		n, g := untrained(), New()
		loss := func(into *Network) float64 {
			return n.Learn(in, tt.gold, 1, tt.share, rand.New(rand.NewPCG(7, 7)), into)
		}
		loss(g)
		wrong := 0
		for i := 0; i < len(n.all); i += 37 {
			const step = 1e-2
			was := n.all[i]
			n.all[i] = was + step
			up := loss(New())
			n.all[i] = was - step
			down := loss(New())
			n.all[i] = was
			if want, got := (up-down)/(2*step), float64(g.all[i]); math.Abs(got-want) > 2e-3+0.03*math.Abs(want) {
				wrong++
				t.Errorf("%s: the gradient of weight %d is %.5f, not %.5f", name, i, got, want)
			}
		}
		if wrong == 0 && g.all[0] == 0 {
			t.Errorf("%s: there is no gradient", name)
		}
	}
}

func TestProbabilitiesAddUpToOne(t *testing.T) {
	in, _ := example()
	s := untrained().Score(in)
	sum := s.None
	for _, words := range s.Words {
		for _, p := range words {
			sum += p
		}
	}
	if len(s.Words) != 2 || len(s.Words[0]) != 4 || math.Abs(float64(sum-1)) > 1e-5 {
		t.Errorf("%v add up to %v", s, sum)
	}
}

func TestWeightsAreReadAsWritten(t *testing.T) {
	n := untrained()
	same, err := Read(string(n.Bytes()))
	if err != nil || len(same.all) != len(n.all) || same.all[5] != n.all[5] {
		t.Errorf("%v", err)
	}
	if _, err := Read("short"); err == nil {
		t.Error("a truncated network is read")
	}
}
