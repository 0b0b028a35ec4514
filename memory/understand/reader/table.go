package reader

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
)

// The weights of all tasks lie in one file, which is read where it is: nothing is loaded. It has a head of float32 numbers
// (the scale of each task, the scores of bounds after one another, the calibrations), then a hash table of features, then
// the rows. A slot of the table has five bytes: 16 bits of the feature's hash and the place of its row, counted from 1. A
// row has the number of its weights, and for each its label and its value as a signed byte.
//
//go:embed weights.bin
var embedded string

// The tasks.
const (
	classTask = iota
	boundTask
	kindTask
	stanceTask
	subjectTask
	tasks
)

const (
	magic     = "reader 1"
	headSize  = len(magic) + 4 + 4*(tasks+bounds*bounds+4)
	slotSize  = 5
	checkBits = 16
)

// table holds the weights of one task.
type table struct {
	slots, rows string
	scale       float32
}

// slotOf returns the first slot of a feature in a table of so many.
func slotOf(f hash, slots int) int { return int(uint64(f) >> 32 * uint64(slots) >> 32) }

// checkOf returns the bits that tell features of neighbouring slots apart.
func checkOf(f hash) uint16 { return uint16(f) }

// add implements weights.
func (t *table) add(features []hash, scores []float32) {
	slots := len(t.slots) / slotSize
	for _, f := range features {
		check := checkOf(f)
		for at := slotOf(f, slots) * slotSize; ; {
			place := uint32(t.slots[at+2]) | uint32(t.slots[at+3])<<8 | uint32(t.slots[at+4])<<16
			if place == 0 {
				break
			}
			if uint16(t.slots[at])|uint16(t.slots[at+1])<<8 == check {
				row := t.rows[place-1:]
				row = row[1 : 1+2*int(row[0])]
				for i := 0; i+1 < len(row); i += 2 {
					if y := int(row[i]); y < len(scores) {
						scores[y] += t.scale * float32(int8(row[i+1]))
					}
				}
				break
			}
			if at += slotSize; at == len(t.slots) {
				at = 0
			}
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
	if len(file) < headSize || file[:len(magic)] != magic {
		return nil, fmt.Errorf("these are no weights of a reader")
	}
	n := int(binary.LittleEndian.Uint32([]byte(file[len(magic):])))
	if n <= 0 || headSize+n*slotSize > len(file) {
		return nil, fmt.Errorf("the weights are cut off")
	}
	at := len(magic) + 4
	number := func() float32 {
		at += 4
		return math.Float32frombits(binary.LittleEndian.Uint32([]byte(file[at-4 : at])))
	}
	m := new(model)
	slots, rows := file[headSize:headSize+n*slotSize], file[headSize+n*slotSize:]
	for _, w := range [tasks]*weights{&m.class, &m.bound, &m.kind, &m.stance, &m.subject} {
		*w = &table{slots, rows, number()}
	}
	for a := range bounds {
		for b := range bounds {
			m.next[a][b] = number()
		}
	}
	m.classSure = calibration{number(), number()}
	m.factSure = calibration{number(), number()}
	return m, nil
}
