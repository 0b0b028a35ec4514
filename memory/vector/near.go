package vector

import (
	"math"
	"slices"
)

// Set is the vectors of one scope, all of one model, each standing for a document by its ordinal. Its zero value is
// empty and ready. Adding must not run beside anything else; reading may.
type Set struct {
	dim      int
	ordinals []uint32
	data     []float32
}

// Add reads a stored vector of dim numbers and lets it stand for a document. All of a set have one dim.
func (s *Set) Add(ordinal uint32, stored []byte, dim int) error {
	data, err := Append(s.data, stored, dim)
	if err != nil {
		return err
	}
	s.dim, s.data, s.ordinals = dim, data, append(s.ordinals, ordinal)
	return nil
}

// Len is how many vectors there are.
func (s *Set) Len() int { return len(s.ordinals) }

// Bytes is about how much memory the set takes.
func (s *Set) Bytes() int64 { return int64(cap(s.data))*width + int64(cap(s.ordinals))*4 }

// similarities are the cosines of all vectors to query, which has length 1 and as many numbers as they.
func (s *Set) similarities(query []float32) []float32 {
	out := make([]float32, len(s.ordinals))
	for i := range out {
		out[i] = Dot(query, s.data[i*s.dim:(i+1)*s.dim])
	}
	return out
}

// How far a similarity stands out among all those to the same query, in standard deviations: what stands out by less
// than faint tells nothing, and past sure it cannot tell more. Cosines themselves mean something else for every model;
// where one stands among the others does not.
const (
	minDeviations = 2.0
	maxDeviations = 5.0
	// maxNeighbors is how many of one query's documents may stand out.
	maxNeighbors = 100
)

// Neighbors says which documents of sets mean what query means, by ordinal, in step with sets: 0 not at all, up to 1. query
// has length 1; a nil set and one of other vectors has nothing near.
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
		return near // all alike: nothing stands out
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

// neighborFloor is what a similarity must be above to be one of the most that are above floor.
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
