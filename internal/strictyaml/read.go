package strictyaml

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"familiar/internal/spelling"
)

// read stores node in value. path names the value, "" for the whole file.
func (d *Document) read(node ast.Node, value reflect.Value, path string) {
	switch node.(type) {
	case *ast.NullNode:
		return
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		d.fault(node, path, "anchors, aliases and tags are not supported: write the value itself")
		return
	}
	d.setPosition(node, path)
	if text, ok := value.Addr().Interface().(encoding.TextUnmarshaler); ok && !isLongForm(node, value) {
		d.readText(node, text, path)
		return
	}
	if value.Type() == objectType {
		d.readObject(node, value, path)
		return
	}
	if entries, ok := value.Addr().Interface().(ordered); ok {
		d.readOrdered(node, entries, path)
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		d.read(node, value.Elem(), path)
	case reflect.Struct:
		d.readStruct(node, value, path)
	case reflect.Slice:
		d.readSlice(node, value, path)
	default:
		d.readScalar(node, value, path)
	}
}

// isLongForm reports whether a value is written as keys with values although it could be one text: a struct with fields
// that also parses text has both forms.
func isLongForm(node ast.Node, value reflect.Value) bool {
	if _, keys := pairs(node); !keys || value.Kind() != reflect.Struct {
		return false
	}
	return len(Fields(value)) > 0
}

// setPosition records where path is given. The first call wins: the key's, if there is one.
func (d *Document) setPosition(node ast.Node, path string) {
	if _, ok := d.given[path]; !ok && path != "" {
		d.given[path] = position(node)
	}
}

func (d *Document) fault(node ast.Node, path, format string, args ...any) {
	if path != "" {
		format, args = "%s: "+format, append([]any{path}, args...)
	}
	d.problems.add(position(node), path, format, args...)
}

func (d *Document) readText(node ast.Node, into encoding.TextUnmarshaler, path string) {
	text, ok := scalar(node)
	if !ok {
		d.fault(node, path, "takes one value, not %s", kind(node))
		return
	}
	if err := into.UnmarshalText([]byte(text)); err != nil {
		d.fault(node, path, "%s", err)
	}
}

func (d *Document) readStruct(node ast.Node, value reflect.Value, path string) {
	entries, ok := pairs(node)
	if !ok {
		d.fault(node, path, "takes keys with values (key: value), not %s", kind(node))
		return
	}
	fields := Fields(value)
	seen := map[string]bool{}
	for _, entry := range entries {
		key, ok := d.key(entry)
		if !ok {
			continue
		}
		inner := join(path, key)
		at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == key })
		switch {
		case at < 0:
			d.fault(entry.Key, "", "unknown key %q%s", inner, hint(path, key, fields))
		case seen[key]:
			d.fault(entry.Key, inner, "is given twice: keep one")
		default:
			seen[key] = true
			if _, null := entry.Value.(*ast.NullNode); !null {
				d.setPosition(entry.Key, inner)
			}
			d.read(entry.Value, fields[at].Value, inner)
		}
	}
}

func hint(path, key string, fields []Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	if near := spelling.Nearest(key, names); near != "" {
		return ": did you mean " + strconv.Quote(join(path, near)) + "?"
	}
	return ": the keys here are " + strings.Join(names, ", ")
}

func (d *Document) readSlice(node ast.Node, value reflect.Value, path string) {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		d.fault(node, path, "takes a list (one “- item” per line), not %s", kind(node))
		return
	}
	out := reflect.MakeSlice(value.Type(), len(list.Values), len(list.Values))
	for i, item := range list.Values {
		inner := path + "[" + strconv.Itoa(i) + "]"
		if _, null := item.(*ast.NullNode); null {
			d.fault(item, inner, "is empty: fill it in or remove the line")
			continue
		}
		d.read(item, out.Index(i), inner)
	}
	value.Set(out)
}

func (d *Document) readOrdered(node ast.Node, into ordered, path string) {
	groups := []ast.Node{node}
	if list, ok := node.(*ast.SequenceNode); ok {
		groups = list.Values
	}
	for _, group := range groups {
		entries, ok := pairs(group)
		if !ok {
			d.fault(group, path, "takes “name: value” entries, not %s", kind(group))
			continue
		}
		for _, entry := range entries {
			d.readEntry(entry, into, path)
		}
	}
}

func (d *Document) readEntry(entry *ast.MappingValueNode, into ordered, path string) {
	key, ok := d.key(entry)
	if !ok {
		return
	}
	inner := join(path, key)
	if d.Given(inner) {
		d.fault(entry.Key, inner, "is given twice: keep one")
		return
	}
	if _, null := entry.Value.(*ast.NullNode); null {
		d.fault(entry.Key, inner, "has no value")
		return
	}
	d.setPosition(entry.Key, inner)
	d.read(entry.Value, reflect.ValueOf(into.add(key)).Elem(), inner)
}

// key returns the name of an entry; a key that is not plain text is reported as a problem.
func (d *Document) key(entry *ast.MappingValueNode) (string, bool) {
	if node, ok := entry.Key.(ast.Node); ok {
		if text, ok := scalar(node); ok {
			return text, true
		}
	}
	d.fault(entry.Key, "", "a key must be plain text")
	return "", false
}

// pairs returns the entries of a mapping. The parser has two types for it: a single entry, and several.
func pairs(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
