package vector

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

func TestUnit(t *testing.T) {
	for name, v := range map[string][]float32{
		"none": nil, "zeros": {0, 0, 0}, "not a number": {1, nan}, "infinite": {inf, 1}, "too long": make([]float32, maxDim+1),
	} {
		if u, err := Unit(v); !errors.Is(err, ErrUnusable) {
			t.Errorf("%s: %v, %v", name, u, err)
		}
	}
	for _, v := range [][]float32{{3, 4}, {-1e30, 1e30, 5}, {1e-30}, {math.MaxFloat32, math.MaxFloat32}} {
		u, err := Unit(v)
		if err != nil || math.Abs(float64(Dot(u, u))-1) > 1e-5 {
			t.Errorf("%v became %v, %v", v, u, err)
		}
	}
}

// FuzzStored checks that vectors survive storage bit by bit, and that every other length is rejected.
func FuzzStored(f *testing.F) {
	f.Add([]byte{}, 0)
	f.Add([]byte{0, 0, 128, 63, 1, 2, 3, 4}, 2)
	f.Add([]byte{1}, 1)
	f.Fuzz(func(t *testing.T, stored []byte, dim int) {
		v, err := Append(nil, stored, dim)
		if fits := dim >= 0 && dim <= len(stored) && len(stored) == 4*dim; (err == nil) != fits {
			t.Fatalf("%d bytes as %d numbers: %v", len(stored), dim, err)
		}
		if err == nil && !slices.Equal(Bytes(v), stored) {
			t.Fatalf("%v became %v", stored, Bytes(v))
		}
	})
}

// random returns a random vector of length 1.
func random(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	u, _ := Unit(v)
	return u
}

// about returns a random vector near others.
func about(r *rand.Rand, pull float32, others ...[]float32) []float32 {
	v := random(r, len(others[0]))
	for _, o := range others {
		for i := range v {
			v[i] += pull * o[i]
		}
	}
	u, _ := Unit(v)
	return u
}

func filled(t testing.TB, r *rand.Rand, n, dim int) *Set {
	s := new(Set)
	for i := range n {
		if err := s.Add(uint32(i), Bytes(random(r, dim)), dim); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestNeighborsFindsWhatStandsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	a, b := filled(t, r, 300, 64), filled(t, r, 300, 64)
	query := random(r, 64)
	if err := b.Add(1000, Bytes(about(r, 3, query)), 64); err != nil {
		t.Fatal(err)
	}
	near := Neighbors([]*Set{a, nil, b}, query)
	if got := near[1+1][1000]; got != 1 {
		t.Errorf("the nearest counts %v", got)
	}
	for scope, documents := range near {
		for d, v := range documents {
			if v <= 0 || v > 1 || d != 1000 && v > 0.6 {
				t.Errorf("document %d of scope %d counts %v", d, scope, v)
			}
		}
	}
}

func TestNeighborsIsEmptyIfNothingStandsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	same, v := new(Set), random(r, 16)
	for i := range 50 {
		if err := same.Add(uint32(i), Bytes(v), 16); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		sets  []*Set
		query []float32
	}{
		"no sets": {nil, v}, "an empty set": {[]*Set{new(Set)}, v}, "all the same": {[]*Set{same}, v},
		"another model's": {[]*Set{filled(t, r, 50, 8)}, v}, "three alone": {[]*Set{filled(t, r, 3, 16)}, v},
	} {
		near := Neighbors(c.sets, c.query)
		for _, documents := range near {
			if len(documents) > 0 {
				t.Errorf("%s: %v", name, documents)
			}
		}
		if len(near) != len(c.sets) {
			t.Errorf("%s: %d answers for %d sets", name, len(near), len(c.sets))
		}
	}
}

func TestNeighborsIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	near := Neighbors([]*Set{filled(t, r, 8000, 32), filled(t, r, 8000, 32)}, random(r, 32))
	if n := len(near[0]) + len(near[1]); n == 0 || n > maxNeighbors {
		t.Errorf("%d documents stand out", n)
	}
}

// talks returns n pairs in conversations of ten, each drawn toward the message before it, without common words.
func talks(r *rand.Rand, n int, pull float32) (pairs []Pair) {
	var before []float32
	for i := range n {
		if i%10 == 0 {
			before = random(r, 64)
		}
		next := about(r, pull, before)
		pairs = append(pairs, Pair{
			A: before, B: next, TermsA: []string{fmt.Sprint("a", i)}, TermsB: []string{fmt.Sprint("b", i)}, Conversation: int64(i / 10),
		})
		before = next
	}
	return pairs
}

func TestWorthNeedsEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		pairs       []Pair
		least, most float64
	}{
		"nothing said":          {nil, 0, 0},
		"chance":                {talks(rand.New(rand.NewPCG(2, 1)), 1000, 0), 0, 0},
		"clear":                 {talks(rand.New(rand.NewPCG(2, 2)), 1000, 1), 1, 1},
		"slight, long known":    {talks(rand.New(rand.NewPCG(2, 3)), 1000, 0.055), 0.1, 0.9},
		"clear, but hardly met": {talks(rand.New(rand.NewPCG(2, 4)), 3, 1), 0, 0},
		"one talk alone":        {talks(rand.New(rand.NewPCG(2, 5)), 10, 1), 0, 0},
	} {
		if got := Worth(c.pairs); got < c.least || got > c.most {
			t.Errorf("%s: worth %v, want %v to %v", name, got, c.least, c.most)
		}
	}
}

// Common words say nothing about a model, since the word index finds them without it.
func TestWorthExcludesSharedWords(t *testing.T) {
	pairs := talks(rand.New(rand.NewPCG(3, 1)), 500, 1)
	for i := range pairs {
		pairs[i].TermsB = pairs[i].TermsA
	}
	if got := Worth(pairs); got != 0 {
		t.Errorf("worth %v", got)
	}
}

func BenchmarkNeighbors(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1_000, 20_000} {
		s, query := filled(b, r, n, 384), random(r, 384)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Neighbors([]*Set{s}, query)
			}
		})
	}
}

// The name of the speaker is embedded with a message. A model that only counts words must not be found to know anything
// because of it.
func TestWorthComparesTheSameSpeaker(t *testing.T) {
	ann, bo := []float32{1, 0}, []float32{0, 1}
	var pairs []Pair
	for i := range 400 {
		p := Pair{A: ann, B: ann, Speaker: 1, Conversation: int64(i / 10)}
		if i%2 == 0 {
			p.A, p.B, p.Speaker = bo, bo, 2
		}
		p.TermsA, p.TermsB = []string{fmt.Sprint("a", i)}, []string{fmt.Sprint("b", i)}
		pairs = append(pairs, p)
	}
	if got := Worth(pairs); got != 0 {
		t.Errorf("worth %v", got)
	}
}
