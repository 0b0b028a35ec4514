package strictyaml

import (
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// readScalar reads one plain value. Values are never quoted in its problems: what stands in the wrong place may be a
// secret.
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

// set puts text into value and returns what the value would take when text is not that.
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
	panic("strictyaml: a field of type " + value.Type().String() + " cannot be read")
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

// scalar is the text of a plain value, as written but for quotes and folding.
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

// kind is what a node is, in the words of somebody writing the file.
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
