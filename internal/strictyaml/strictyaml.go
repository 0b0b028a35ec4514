// Package strictyaml reads a YAML file into Go values and reports all its errors at once: unknown keys with the nearest
// known one, values of the wrong type and, through Problemf, further errors found by the caller, each with its line and
// column. Values already in the target are the defaults for what the file omits. Anchors, aliases, tags and several
// documents in one file are rejected: settings that need them are harder to read than repeated ones.
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

// MaxSize is the largest accepted file in bytes: far more than a person writes by hand. The parser's time and memory
// grow with the square of the nesting depth, so a file nested to its full size must still be affordable.
const MaxSize = 64 << 10

// Document is a parsed file, with the positions of its values.
type Document struct {
	// unparsed reports that the file is not YAML.
	unparsed bool
	given    map[string]Position
	problems Problems
}

// Decode reads data into the struct that into points to. Fields are matched by their yaml tag; fields without one are
// ignored; see Fields for inline keys. It supports strings, booleans, integers, floats, time.Duration ("30m"), pointers, structs, slices, Map,
// Object and any encoding.TextUnmarshaler; a struct that implements it and has fields may be written either way. A null value
// counts as not given.
//
// Errors are collected in the document: validate with Problemf, then call Err. name is the file's name in them.
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

// Given reports whether the file gives the value at path ("model.provider", "examples[2].person").
func (d *Document) Given(path string) bool {
	_, ok := d.given[path]
	return ok
}

// Position returns where path is given, or the nearest enclosing part of the file.
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

// Problemf reports that the value at path is wrong. The text starts with the path. If the file is not YAML, the report
// is dropped: a value that seems to be missing may be there.
func (d *Document) Problemf(path, format string, args ...any) {
	if d.unparsed {
		return
	}
	d.problems.add(d.Position(path), path, "%s: %s", path, fmt.Sprintf(format, args...))
}

// Err returns nil if there are no problems, otherwise a *Problems with all of them, sorted by line.
func (d *Document) Err() error {
	if len(d.problems.List) == 0 {
		return nil
	}
	d.problems.sort()
	return &d.problems
}

var errSeveralDocuments = errors.New("holds more than one YAML document (a line of ---): keep one")

// parse returns the root node of the file, nil if the file is empty.
func parse(data []byte) (root ast.Node, err error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("is %d bytes long; the maximum is %d", len(data), MaxSize)
	}
	// The parser is third-party code and the file may come from anybody: a panic in it is reported as an error in the
	// file.
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

// syntax reports why the file could not be parsed. It keeps only the parser's message: the full error quotes the file,
// which may contain secrets.
func (d *Document) syntax(err error) {
	d.unparsed = true
	var bad yaml.Error
	if errors.As(err, &bad) && bad.GetToken() != nil && bad.GetToken().Position != nil {
		at := bad.GetToken().Position
		what := bad.GetMessage()
		if strings.Contains(what, "'\t'") {
			what = "a tab is not allowed here; indent with spaces"
		}
		d.problems.add(Position{at.Line, at.Column}, "", "not YAML: %s", what)
		return
	}
	d.problems.add(Position{}, "", "%s", err)
}

// position returns where a node begins.
func position(n ast.Node) Position {
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		return Position{tk.Position.Line, tk.Position.Column}
	}
	return Position{}
}
