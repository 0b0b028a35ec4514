// Package strictyaml reads a YAML file into Go values and reports everything wrong with it at once: unknown keys with
// the nearest known one, values of the wrong kind and, through Problemf, whatever the reader of the file finds
// wrong with a value, each with its line and column. Values already in the target are the defaults of what the file
// does not give. Anchors, aliases, tags and several documents in one file are refused: a file of settings that needs
// them is harder to read than one that repeats itself.
package strictyaml

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxSize is the largest file that is read, in bytes: far more than a person writes by hand. The parser needs time and
// memory that grow with the square of the nesting, so what is nested to the full size must still be bearable.
// would hurt.
const MaxSize = 64 << 10

// Document is a file that was read, with the positions of what it gives.
type Document struct {
	// unparsed says that the file is no YAML.
	unparsed bool
	given    map[string]Position
	problems Problems
}

// Decode reads data into the struct into points to. Fields are matched by their yaml tag; those without one are left
// alone; see Fields for keys that stand inline. It understands strings, booleans, whole numbers, floats, time.Duration ("30m"), pointers, structs, slices,
// Map and whatever implements encoding.TextUnmarshaler; a struct that does and has fields may be written either way. A
// null value counts as not given.
//
// Problems are kept in the document: validate with Problemf, then ask Err. name is how the file is called in them.
func Decode(name string, data []byte, into any) *Document {
	d := &Document{given: map[string]Position{}, problems: Problems{File: name}}
	root, err := parse(data)
	if err != nil {
		d.syntax(err)
		return d
	}
	if root != nil {
		d.read(root, reflect.ValueOf(into).Elem(), "")
	}
	return d
}

// Given says whether the file gives the value at path ("model.provider", "examples[2].person").
func (d *Document) Given(path string) bool {
	_, ok := d.given[path]
	return ok
}

// Position is where path is given, or the nearest part of the file around where it would be.
func (d *Document) Position(path string) Position {
	for {
		if at, ok := d.given[path]; ok {
			return at
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return Position{}
		}
		path = path[:cut]
	}
}

// Problemf notes that the value at path is wrong. The text begins with the path. Of a file that is no YAML nothing else
// is noted: what seems to be missing may be there.
func (d *Document) Problemf(path, format string, args ...any) {
	if d.unparsed {
		return
	}
	d.problems.add(d.Position(path), "%s: %s", path, fmt.Sprintf(format, args...))
}

// Err is nil when nothing is wrong, else a *Problems with everything, in the order of its lines.
func (d *Document) Err() error {
	if len(d.problems.List) == 0 {
		return nil
	}
	d.problems.sort()
	return &d.problems
}

var errSeveralDocuments = errors.New("holds more than one YAML document (a line of ---): keep one")

// parse returns the one node of the file, nil when it says nothing.
func parse(data []byte) (root ast.Node, err error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("is %d bytes long, the most that is read is %d", len(data), MaxSize)
	}
	// The parser is a third party's and the file is anybody's: a panic in it is that file's fault, not a crash.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, errors.New("cannot be read as YAML")
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, err
	}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if root != nil {
			return nil, errSeveralDocuments
		}
		root = doc.Body
	}
	return root, nil
}

// syntax notes why the file could not be parsed. Only the parser's message is kept: its full text quotes the file,
// and a file may hold what must not be shown.
func (d *Document) syntax(err error) {
	d.unparsed = true
	var bad yaml.Error
	if errors.As(err, &bad) && bad.GetToken() != nil && bad.GetToken().Position != nil {
		at := bad.GetToken().Position
		what := bad.GetMessage()
		if strings.Contains(what, "'\t'") {
			what = "a tab stands here; indent with spaces"
		}
		d.problems.add(Position{at.Line, at.Column}, "not YAML: %s", what)
		return
	}
	d.problems.add(Position{}, "%s", err)
}

// position is where a node begins.
func position(n ast.Node) Position {
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		return Position{tk.Position.Line, tk.Position.Column}
	}
	return Position{}
}
