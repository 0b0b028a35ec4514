package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a file; line and column start at 1. The zero Position means the whole file.
type Position struct {
	Line, Column int
}

// Problem is one error in a file.
type Problem struct {
	Position
	// Path names the value ("examples[2].person"), "" if the problem is no single value's.
	Path string
	// Text describes the error and what to write instead. It never contains the value of a secret.
	Text string
}

// Problems holds all errors in one file, sorted by line.
type Problems struct {
	File string
	List []Problem
}

// Error returns the problems, each on its own line, as file:line:column: text.
func (p *Problems) Error() string {
	return strings.Join(p.Lines(), "\n")
}

// Lines returns the problems as file:line:column: text.
func (p *Problems) Lines() []string {
	lines := make([]string, len(p.List))
	for i, one := range p.List {
		if one.Line == 0 {
			lines[i] = fmt.Sprintf("%s: %s", p.File, one.Text)
			continue
		}
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", p.File, one.Line, one.Column, one.Text)
	}
	return lines
}

func (p *Problems) add(at Position, path, format string, args ...any) {
	p.List = append(p.List, Problem{Position: at, Path: path, Text: fmt.Sprintf(format, args...)})
}

func (p *Problems) sort() {
	slices.SortStableFunc(p.List, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
