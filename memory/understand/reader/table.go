package reader

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
)

// The weights of some tasks lie in one file, which is read where it is: nothing is loaded. It has a head of float32 numbers
// (the scale of each task, the scores of bounds after one another, the calibrations), then a hash table of features: for
// each slot 16 bits of the feature's hash, 0 if it is empty, then for each slot the place of its row, in 24 bits. Then come
// the rows: each has the number of its weights, and for each its label and its value as a signed byte.
//
//go:embed weights.bin
var embedded string

const (
	magic     = "reader 1"
	checkSize = 2
	placeSize = 3
)

// table holds the weights of one task.
type table struct {
	checks, places, rows string
	scale                float32
}

// slotOf returns the first slot of a feature in a table of so many.
func slotOf(f hash, slots int) int { return int(uint64(f) >> 32 * uint64(slots) >> 32) }

// checkOf returns the bits that tell features of neighbouring slots apart. They are never 0.
func checkOf(f hash) uint16 { return uint16(f) | 1 }

// add implements weights.
func (t *table) add(features []hash, scores []float32) {
	checks := t.checks
	slots := len(checks) / checkSize
	for _, f := range features {
		want := checkOf(f)
		for at := slotOf(f, slots); ; {
			check := uint16(checks[checkSize*at]) | uint16(checks[checkSize*at+1])<<8
			if check == 0 {
				break
			}
			if check == want {
				t.addRow(at, scores)
				break
			}
			if at++; at == slots {
				at = 0
			}
		}
	}
}

func (t *table) addRow(slot int, scores []float32) {
	place := t.places[placeSize*slot : placeSize*slot+placeSize]
	row := t.rows[int(place[0])|int(place[1])<<8|int(place[2])<<16:]
	for row = row[1 : 1+2*int(row[0])]; len(row) >= 2; row = row[2:] {
		if y := int(row[0]); y < len(scores) {
			scores[y] += t.scale * float32(int8(row[1]))
		}
	}
}

// trained returns the model in the binary.
var trained = sync.OnceValue(func() *model {
	m, err := open(embedded)
	if err != nil {
		panic("reader: " + err.Error())
	}
	return m
})

// open returns the model of a file of weights.
func open(file string) (*model, error) {
	m := new(model)
	numbers, err := openTables(file, bounds*bounds+4, &m.class, &m.bound, &m.kind, &m.stance, &m.subject)
	if err != nil {
		return nil, err
	}
	for a := range bounds {
		copy(m.next[a][:], numbers[a*bounds:])
	}
	last := numbers[bounds*bounds:]
	m.classSure, m.factSure = calibration{last[0], last[1]}, calibration{last[2], last[3]}
	return m, nil
}

// openTables sets the weights of the tasks of a file and returns so many more numbers of its head.
func openTables(file string, more int, of ...*weights) ([]float32, error) {
	head := len(magic) + 4 + 4*(len(of)+more)
	if len(file) < head || file[:len(magic)] != magic {
		return nil, fmt.Errorf("these are no weights of a reader")
	}
	n := int(binary.LittleEndian.Uint32([]byte(file[len(magic):])))
	if n <= 0 || head+n*(checkSize+placeSize) > len(file) {
		return nil, fmt.Errorf("the weights are cut off")
	}
	numbers := make([]float32, len(of)+more)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(file[len(magic)+4+4*i:])))
	}
	checks, rest := file[head:head+n*checkSize], file[head+n*checkSize:]
	places, rows := rest[:n*placeSize], rest[n*placeSize:]
	for i, w := range of {
		*w = &table{checks, places, rows, numbers[i]}
	}
	return numbers[len(of):], nil
}
