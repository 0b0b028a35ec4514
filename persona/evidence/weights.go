package evidence

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Trained returns the model in the binary.
func Trained() *Model { return trained() }

var trained = sync.OnceValue(func() *Model {
	data, err := files.ReadFile("weights.txt")
	if err != nil {
		panic(err) // the file is embedded
	}
	m, err := parseModel(string(data))
	if err != nil {
		panic("evidence: " + err.Error()) // a test reads the file
	}
	return m
})

// String returns the model as weights.txt has it: a line of weights, then a line per tree with its features, thresholds and
// leaves.
func (m *Model) String() string {
	var b strings.Builder
	for _, w := range m.Weights {
		fmt.Fprintf(&b, "%.4g ", w)
	}
	inner, leaves := 1<<m.Trees.Depth-1, 1<<m.Trees.Depth
	fmt.Fprintf(&b, "\n%d %.4g\n", m.Trees.Depth, m.Trees.Base)
	for at, leaf := 0, 0; at < len(m.Trees.Features); at, leaf = at+inner, leaf+leaves {
		for i := range inner {
			fmt.Fprintf(&b, "%d %.5g ", m.Trees.Features[at+i], m.Trees.Thresholds[at+i])
		}
		for i := range leaves {
			fmt.Fprintf(&b, "%.4g ", m.Trees.Leaves[leaf+i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func parseModel(text string) (*Model, error) {
	m := new(Model)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	numbers := func(line string) (all []float64, err error) {
		for _, field := range strings.Fields(line) {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, fmt.Errorf("parse a weight: %w", err)
			}
			all = append(all, x)
		}
		return all, nil
	}
	for n, line := range lines {
		all, err := numbers(line)
		if err != nil {
			return nil, err
		}
		switch inner := 1<<m.Trees.Depth - 1; {
		case n == 0 && len(all) == len(m.Weights):
			copy(m.Weights[:], all)
		case n == 1 && len(all) == 2:
			m.Trees.Depth, m.Trees.Base = int(all[0]), all[1]
		case n > 1 && len(all) == 2*inner+inner+1:
			for i := range inner {
				m.Trees.Features = append(m.Trees.Features, uint8(all[2*i]))
				m.Trees.Thresholds = append(m.Trees.Thresholds, float32(all[2*i+1]))
			}
			for _, x := range all[2*inner:] {
				m.Trees.Leaves = append(m.Trees.Leaves, float32(x))
			}
		default:
			return nil, fmt.Errorf("line %d of the weights has %d numbers", n+1, len(all))
		}
	}
	return m, nil
}
