package evidence

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"familiar/persona/evidence/network"
)

// Trained returns the model in the binary.
func Trained() *Model { return trained() }

var trained = sync.OnceValue(func() *Model {
	var files [2]string
	for i, name := range []string{"weights.txt", "network.bin"} {
		data, err := embedded.ReadFile(name)
		if err != nil {
			panic(err) // the file is embedded
		}
		files[i] = string(data)
	}
	m, err := Read(files[0], files[1])
	if err != nil {
		panic("evidence: " + err.Error()) // a test reads the files
	}
	return m
})

// String returns the weights as weights.txt has them: one line of numbers.
func (v *Values) String() string {
	var b strings.Builder
	for _, w := range v {
		fmt.Fprintf(&b, "%.4g ", w)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// Read returns the model of a file weights.txt and a file network.bin.
func Read(weights, of string) (*Model, error) {
	m := new(Model)
	fields := strings.Fields(weights)
	if len(fields) != len(m.Weights) {
		return nil, fmt.Errorf("read the weights: %d numbers, not %d: fit them anew with `make evidence`", len(fields), len(m.Weights))
	}
	for i, field := range fields {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, fmt.Errorf("read the weights: %w", err)
		}
		m.Weights[i] = x
	}
	var err error
	m.Network, err = network.Read(of)
	return m, err
}
