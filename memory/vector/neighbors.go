package vector

import (
	"math"
	"slices"
)

// Set holds the vectors of one scope, all of one model, each with the ordinal of its document. Its zero value is empty
// and ready. Add must not run concurrently with anything else; reads may.
type Set struct {
	dim      int
	ordinals []uint32
	data     []float32
}

// Add appends a stored vector of dim numbers for a document. All vectors of a set have the same dim.
func (s *Set) Add(ordinal uint32, stored []byte, dim int) error {
	data, err := Append(s.data, stored, dim)
	if err != nil {
		return err
	}
	s.dim, s.data, s.ordinals = dim, data, append(s.ordinals, ordinal)
	return nil
}

// Len is the number of vectors.
func (s *Set) Len() int { return len(s.ordinals) }

// Bytes is the approximate memory use of the set.
func (s *Set) Bytes() int64 { return int64(cap(s.data))*width + int64(cap(s.ordinals))*4 }

// similarities returns the cosines of all vectors with query, which must have length 1 and the same dimension.
func (s *Set) similarities(query []float32) []float32 {
	out := make([]float32, len(s.ordinals))
	for i := range out {
		out[i] = Dot(query, s.data[i*s.dim:(i+1)*s.dim])
	}
	return out
}

// Bounds on how far a similarity stands out among all similarities to the same query, in standard deviations. Below
// minDeviations it means nothing; above maxDeviations it means no more. Absolute cosines differ between models, but
// relative positions do not.
const (
	minDeviations = 2.0
	maxDeviations = 5.0
	// maxNeighbors bounds the neighbors of one query.
	maxNeighbors = 100
)

// Neighbors returns for each set which documents are close to query in meaning, by ordinal, with scores above 0 up to
// 1. query must have length 1. A nil set, or one of another dimension, has no neighbors.
func Neighbors(sets []*Set, query []float32) []map[uint32]float32 {
	all := make([][]float32, len(sets))
	var n, sum, squares float64
	for i, s := range sets {
		if s == nil || s.dim != len(query) {
			continue
		}
		all[i] = s.similarities(query)
		for _, x := range all[i] {
			n, sum, squares = n+1, sum+float64(x), squares+float64(x)*float64(x)
		}
	}
	near := make([]map[uint32]float32, len(sets))
	mean := sum / max(n, 1)
	deviation := math.Sqrt(max(0, squares/max(n, 1)-mean*mean))
	if deviation < 1e-6 {
		return near // all equal: nothing stands out
	}
	floor := neighborFloor(all, float32(mean+minDeviations*deviation))
	for i, s := range sets {
		for k, x := range all[i] {
			if x <= floor {
				continue
			}
			if near[i] == nil {
				near[i] = map[uint32]float32{}
			}
			out := (float64(x)-mean)/deviation - minDeviations
			near[i][s.ordinals[k]] = float32(min(1, out/(maxDeviations-minDeviations)))
		}
	}
	return near
}

// neighborFloor returns the similarity that a neighbor must exceed so that at most maxNeighbors do, at least floor.
func neighborFloor(all [][]float32, floor float32) float32 {
	var above []float32
	for _, similarities := range all {
		for _, x := range similarities {
			if x > floor {
				above = append(above, x)
			}
		}
	}
	if len(above) <= maxNeighbors {
		return floor
	}
	slices.Sort(above)
	return above[len(above)-maxNeighbors-1]
}
