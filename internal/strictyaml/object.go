package strictyaml

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Object is a mapping with any content that JSON can hold, which is passed on as it is. Numbers keep their digits.
type Object map[string]any

// String returns the object as JSON with sorted keys, "{}" if it is empty.
func (o Object) String() string {
	var out bytes.Buffer
	writeJSON(&out, map[string]any(o))
	return out.String()
}

func writeJSON(out *bytes.Buffer, value any) {
	switch v := value.(type) {
	case map[string]any:
		out.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				out.WriteString(", ")
			}
			writeJSON(out, key)
			out.WriteString(": ")
			writeJSON(out, v[key])
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for i, one := range v {
			if i > 0 {
				out.WriteString(", ")
			}
			writeJSON(out, one)
		}
		out.WriteByte(']')
	default:
		text, err := json.Marshal(v)
		if err != nil {
			panic(err) // read makes only strings, numbers, truths and nothing of other values
		}
		out.Write(text)
	}
}

var objectType = reflect.TypeFor[Object]()

// readObject stores a mapping in an Object.
func (d *Document) readObject(node ast.Node, value reflect.Value, path string) {
	if _, ok := pairs(node); !ok {
		d.fault(node, path, "takes keys with values (key: value), not %s", kind(node))
		return
	}
	object, _ := d.readAny(node, path).(map[string]any)
	value.Set(reflect.ValueOf(Object(object)))
}

// readAny returns a node as JSON's types.
func (d *Document) readAny(node ast.Node, path string) any {
	if entries, ok := pairs(node); ok {
		object := map[string]any{}
		for _, entry := range entries {
			key, ok := d.key(entry)
			if !ok {
				continue
			}
			inner := join(path, key)
			d.setPosition(entry.Key, inner)
			object[key] = d.readAny(entry.Value, inner)
		}
		return object
	}
	switch n := node.(type) {
	case *ast.SequenceNode:
		list := make([]any, len(n.Values))
		for i, item := range n.Values {
			list[i] = d.readAny(item, path+"["+strconv.Itoa(i)+"]")
		}
		return list
	case *ast.NullNode:
		return nil
	case *ast.BoolNode:
		return n.Value
	}
	text, ok := scalar(node)
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		number := json.Number(strings.ReplaceAll(text, "_", ""))
		if _, err := json.Marshal(number); err != nil {
			d.fault(node, path, "takes a number as JSON writes it")
			return nil
		}
		return number
	case *ast.InfinityNode, *ast.NanNode:
		ok = false
	}
	if !ok {
		d.fault(node, path, "takes texts, numbers, lists and keys with values, not %s", kind(node))
		return nil
	}
	return text
}

// Entries returns the entries of an addressable Map, or of a struct that embeds one. ok is false for anything else.
func Entries(value reflect.Value) (all []Field, ok bool) {
	entries, ok := value.Addr().Interface().(ordered)
	if !ok {
		return nil, false
	}
	return entries.fields(), true
}
