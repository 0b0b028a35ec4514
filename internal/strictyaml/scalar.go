package strictyaml

import (
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// readScalar reads one plain value. Its problems never quote the value: a misplaced value may be a secret.
func (d *Document) readScalar(node ast.Node, value reflect.Value, path string) {
	text, ok := scalar(node)
	if !ok {
		d.fault(node, path, "takes one value, not %s", kind(node))
		return
	}
	if wants := set(value, node, text); wants != "" {
		d.fault(node, path, "takes %s, not %s", wants, kind(node))
	}
}

var durationType = reflect.TypeFor[time.Duration]()

// set stores text in value. If that fails, it returns what the value would accept.
func set(value reflect.Value, node ast.Node, text string) (wants string) {
	if value.Type() == durationType {
		span, err := time.ParseDuration(text)
		if err != nil {
			return "a length of time such as 30s, 1.5s, 20m or 4h"
		}
		value.SetInt(int64(span))
		return ""
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(text)
		return ""
	case reflect.Bool:
		truth, ok := node.(*ast.BoolNode)
		if !ok {
			return "true or false"
		}
		value.SetBool(truth.Value)
		return ""
	case reflect.Int, reflect.Int64:
		return setInt(value, node, text)
	case reflect.Float64:
		return setFloat(value, node, text)
	}
	panic("strictyaml: a field of type " + value.Type().String() + " is not supported")
}

func setInt(value reflect.Value, node ast.Node, text string) string {
	const wants = "a whole number"
	if _, ok := node.(*ast.IntegerNode); !ok {
		return wants
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || value.OverflowInt(n) {
		return wants
	}
	value.SetInt(n)
	return ""
}

func setFloat(value reflect.Value, node ast.Node, text string) string {
	const wants = "a number"
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
	default:
		return wants
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return wants
	}
	value.SetFloat(f)
	return ""
}

// scalar returns the text of a plain value, without quotes and line folding.
func scalar(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// kind describes a node in the words of the file's author.
func kind(node ast.Node) string {
	switch node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "keys with values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "this text"
	case *ast.BoolNode:
		return "true or false"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "this number"
	case *ast.NullNode:
		return "nothing"
	}
	return "this"
}
