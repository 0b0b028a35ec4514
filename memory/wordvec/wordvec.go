// Package wordvec tells which English words keep the same company: it holds short vectors of the 50,000 most frequent ones, and
// groups of words whose vectors are alike. They were made from the GloVe vectors of Stanford's NLP group (100 numbers a word, in
// the public domain) by vectors.py.
package wordvec

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sort"
)

// Dims is the number of numbers in a vector.
const Dims = 48

// The file has a head (the magic word, the number of words, Dims), then for each word, in the order of its hash, 32 bits of the
// hash, then for each its group (16 bits) and its wide group (8 bits), then for each its vector in signed bytes.
//
//go:embed vectors.bin
var file string

const (
	magic     = "wordvec1"
	headSize  = len(magic) + 8
	hashSize  = 4
	groupSize = 3
)

var count = func() int {
	if len(file) < headSize || file[:len(magic)] != magic || number(len(magic)+4) != Dims {
		panic("wordvec: vectors.bin is not a file of word vectors")
	}
	return int(number(len(magic)))
}()

func number(at int) uint32 { return binary.LittleEndian.Uint32([]byte(file[at : at+4])) }

// Word is a word with a vector. The zero Word has none.
type Word int32

// Find returns the word, which is in lower case. It returns 0 for a word without a vector.
func Find(low string) Word {
	h := uint64(14695981039346656037)
	for i := range len(low) {
		h = (h ^ uint64(low[i])) * 1099511628211
	}
	want := uint32(h >> 32)
	i := sort.Search(count, func(i int) bool { return number(headSize+hashSize*i) >= want })
	if i == count || number(headSize+hashSize*i) != want {
		return 0
	}
	return Word(i + 1)
}

// Group returns the number of the words that are like w, one of 1,024, and of the wide group that it belongs to, one of 128.
// Both are counted from 1, and 0 for the zero Word.
func (w Word) Group() (group, wide int) {
	if w == 0 {
		return 0, 0
	}
	at := headSize + hashSize*count + groupSize*int(w-1)
	return int(file[at]) + int(file[at+1])<<8 + 1, int(file[at+2]) + 1
}

// Vector returns the vector of a word as signed bytes, "" for the zero Word.
func (w Word) Vector() string {
	if w == 0 {
		return ""
	}
	at := headSize + (hashSize+groupSize)*count + Dims*int(w-1)
	return file[at : at+Dims]
}

// LeastAlike is the likeness from which words count as alike.
const LeastAlike = 0.3

// FullyAlike is the likeness from which words count as fully alike.
const FullyAlike = 0.8

// Likeness returns the cosine of the angle between the vectors of two words, −1 to 1, 0 if either has none.
func Likeness(a, b Word) float64 {
	v, w := a.Vector(), b.Vector()
	if v == "" || w == "" {
		return 0
	}
	var dot, ofV, ofW int32
	for i := range Dims {
		x, y := int32(int8(v[i])), int32(int8(w[i]))
		dot, ofV, ofW = dot+x*y, ofV+x*x, ofW+y*y
	}
	if ofV == 0 || ofW == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(ofV)*float64(ofW))
}
