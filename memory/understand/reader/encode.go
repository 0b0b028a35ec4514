package reader

import (
	"encoding/binary"
	"math"
	"slices"
)

// encode returns the file of a model whose weights are dense.
func (m *model) encode() []byte {
	numbers := make([]float32, 0, bounds*bounds+4)
	for _, after := range m.next {
		numbers = append(numbers, after[:]...)
	}
	numbers = append(numbers, m.classSure.slope, m.classSure.offset, m.factSure.slope, m.factSure.offset)
	return encodeTables(numbers, m.class, m.bound, m.kind, m.stance, m.subject)
}

// encodeTables returns a file of the weights of some tasks, which are dense, with more numbers in its head.
func encodeTables(more []float32, of ...weights) []byte {
	var rows []byte
	type entry struct {
		feature hash
		place   int
	}
	var entries []entry
	var numbers []float32
	for _, w := range of {
		d := w.(*dense)
		numbers = append(numbers, d.scale())
		for _, f := range d.features() {
			row := d.pruned(f, numbers[len(numbers)-1])
			if len(row) == 0 {
				continue
			}
			entries = append(entries, entry{f, len(rows)})
			rows = append(append(rows, byte(len(row)/2)), row...)
		}
	}
	count := len(entries)*5/4 + 1
	checks, places := make([]byte, count*checkSize), make([]byte, count*placeSize)
	for _, e := range entries {
		at := slotOf(e.feature, count)
		for checks[at*checkSize]|checks[at*checkSize+1] != 0 {
			at = (at + 1) % count
		}
		binary.LittleEndian.PutUint16(checks[at*checkSize:], checkOf(e.feature))
		p := places[at*placeSize:]
		p[0], p[1], p[2] = byte(e.place), byte(e.place>>8), byte(e.place>>16)
	}
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(count))
	for _, x := range append(numbers, more...) {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return slices.Concat(out, checks, places, rows)
}

// features returns the features that have a row, in order.
func (d *dense) features() []hash {
	all := make([]hash, 0, len(d.row))
	for f := range d.row {
		all = append(all, f)
	}
	slices.Sort(all)
	return all
}

// scale returns what one step of a signed byte is worth, so that all but a few weights fit.
func (d *dense) scale() float32 {
	var all []float32
	for _, w := range d.w {
		if w != 0 {
			all = append(all, float32(math.Abs(float64(w))))
		}
	}
	if len(all) == 0 {
		return 1
	}
	slices.Sort(all)
	return max(all[len(all)*9995/10000], 1e-3) / 127
}

// pruned returns the labels and values of a feature's weights that matter.
func (d *dense) pruned(f hash, scale float32) (row []byte) {
	at := int(d.row[f]) * d.labels
	for y, w := range d.w[at : at+d.labels] {
		if math.Abs(float64(w)) < d.least {
			continue
		}
		q := min(max(math.Round(float64(w/scale)), -127), 127)
		row = append(row, byte(y), byte(int8(q)))
	}
	return row
}
