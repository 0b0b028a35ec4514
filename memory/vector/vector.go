// Package vector is what a text means as numbers: checking them, keeping them as bytes, telling how near two are, and
// judging whether they tell anything at all. It is pure: it knows no store, no model and no clock.
package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// maxDim is the most numbers a vector may have: twice what the largest models give.
const maxDim = 8192

// ErrUnusable says that a vector tells nothing: it is empty or too long, all zeros, or holds what is no number.
var ErrUnusable = errors.New("not a usable vector")

// Unit is v at length 1, so that the dot product of two is the cosine between them. The error wraps ErrUnusable.
func Unit(v []float32) ([]float32, error) {
	if len(v) == 0 || len(v) > maxDim {
		return nil, fmt.Errorf("%w: it has %d numbers, not 1 to %d", ErrUnusable, len(v), maxDim)
	}
	square := 0.0
	for i, x := range v {
		f := float64(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%w: number %d of %d is %v", ErrUnusable, i+1, len(v), x)
		}
		square += f * f
	}
	if square == 0 {
		return nil, fmt.Errorf("%w: all of its %d numbers are 0", ErrUnusable, len(v))
	}
	length := math.Sqrt(square)
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / length)
	}
	return unit, nil
}

// Dot is the dot product of two vectors, as far as the shorter goes.
func Dot(a, b []float32) float32 {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	var s0, s1, s2, s3 float32 // four sums do not wait for each other
	for len(a) >= 8 && len(b) >= 8 {
		p, q := (*[8]float32)(a), (*[8]float32)(b) // one check of the bounds for eight
		s0 += p[0]*q[0] + p[4]*q[4]
		s1 += p[1]*q[1] + p[5]*q[5]
		s2 += p[2]*q[2] + p[6]*q[6]
		s3 += p[3]*q[3] + p[7]*q[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// width is the bytes of one number.
const width = 4

// Bytes are v as it is stored: IEEE 754 singles, little-endian, one after the other.
func Bytes(v []float32) []byte {
	b := make([]byte, 0, width*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Append reads a vector of dim numbers from how it is stored, onto into.
func Append(into []float32, stored []byte, dim int) ([]float32, error) {
	if len(stored) != width*dim {
		return into, fmt.Errorf("%w: %d bytes are stored where %d numbers take %d", ErrUnusable, len(stored), dim, width*dim)
	}
	for i := 0; i < len(stored); i += width {
		into = append(into, math.Float32frombits(binary.LittleEndian.Uint32(stored[i:])))
	}
	return into, nil
}
