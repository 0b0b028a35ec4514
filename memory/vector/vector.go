// Package vector checks, stores and compares embedding vectors, and judges whether they carry information. It is pure:
// it knows no store, model or clock.
package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// maxDim is the maximum dimension of a vector, twice that of the largest models.
const maxDim = 8192

// ErrUnusable reports that a vector carries no information: it is empty or too long, all zeros, or contains NaN or
// infinity.
var ErrUnusable = errors.New("not a usable vector")

// Unit scales v to length 1, so that the dot product of two vectors is their cosine. The error wraps ErrUnusable.
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

// Dot returns the dot product of two vectors, up to the length of the shorter.
func Dot(a, b []float32) float32 {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	var s0, s1, s2, s3 float32 // four independent sums run in parallel
	for len(a) >= 8 && len(b) >= 8 {
		p, q := (*[8]float32)(a), (*[8]float32)(b) // one bounds check for eight numbers
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

// width is the size of one number in bytes.
const width = 4

// Bytes returns the stored form of v: IEEE 754 single precision, little-endian.
func Bytes(v []float32) []byte {
	b := make([]byte, 0, width*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Append decodes a stored vector of dim numbers and appends it to into. The error wraps ErrUnusable.
func Append(into []float32, stored []byte, dim int) ([]float32, error) {
	if len(stored) != width*dim {
		return into, fmt.Errorf("%w: %d bytes are stored, but %d numbers take %d", ErrUnusable, len(stored), dim, width*dim)
	}
	for i := 0; i < len(stored); i += width {
		into = append(into, math.Float32frombits(binary.LittleEndian.Uint32(stored[i:])))
	}
	return into, nil
}
