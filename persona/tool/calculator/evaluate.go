package calculator

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

const (
	// longest is how long an expression may be, in bytes, mostNodes how many parts it may have.
	longest   = 1000
	mostNodes = 400
)

// Why something is not computed. The texts are for the model.
var (
	errLong     = fmt.Errorf("the expression is longer than %d characters", longest)
	errSyntax   = errors.New("the expression cannot be read: write it as (17.5+3)*2^3")
	errNoNumber = errors.New("the result is no number that can be shown: it divides by zero, or is too large")
)

// functions are what an expression may call, constants what it may name.
var (
	functions = map[string]any{
		"sqrt": math.Sqrt, "abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "exp": math.Exp, "log": math.Log, "ln": math.Log,
		"log10": math.Log10, "log2": math.Log2, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos,
		"atan": math.Atan, "round": round, "min": smallest, "max": largest, "pow": math.Pow, "cbrt": math.Cbrt,
	}
	constants = map[string]any{"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi}
)

// round rounds to a whole number, or to a number of places.
func round(v float64, places ...float64) float64 {
	if len(places) == 0 {
		return math.Round(v)
	}
	scale := math.Pow(10, math.Trunc(places[0]))
	return math.Round(v*scale) / scale
}

func smallest(first float64, others ...float64) float64 {
	return slices.Min(append([]float64{first}, others...))
}

func largest(first float64, others ...float64) float64 {
	return slices.Max(append([]float64{first}, others...))
}

// signs are what people write for operators.
var signs = strings.NewReplacer("×", "*", "·", "*", "÷", "/", "−", "-", "–", "-", "²", "^2", "³", "^3", "π", "pi", "**", "^")

// Evaluate computes an arithmetic expression. Only numbers, operators and a few functions are allowed. The error tells a model
// what to write.
func Evaluate(expression string) (float64, error) {
	if len(expression) > longest {
		return 0, errLong
	}
	expression = signs.Replace(expression)
	tree, err := parser.Parse(expression)
	if err != nil {
		return 0, errSyntax
	}
	check := arithmetic{}
	ast.Walk(&tree.Node, &check)
	switch {
	case check.nodes > mostNodes:
		return 0, errLong
	case check.wrong != nil:
		return 0, check.wrong
	}
	env := maps.Clone(functions)
	maps.Copy(env, constants)
	program, err := expr.Compile(expression, expr.Env(env), expr.AsFloat64(), expr.DisableAllBuiltins(), expr.MaxNodes(mostNodes),
		expr.Patch(floats{}))
	if err != nil {
		return 0, errSyntax
	}
	out, err := expr.Run(program, env)
	if err != nil {
		return 0, errSyntax
	}
	v, ok := out.(float64)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, errNoNumber
	}
	return v, nil
}

// arithmetic reports what is no arithmetic in an expression.
type arithmetic struct {
	nodes int
	wrong error
}

// Visit implements ast.Visitor.
func (a *arithmetic) Visit(node *ast.Node) {
	a.nodes++
	fail := func(format string, args ...any) {
		if a.wrong == nil {
			a.wrong = fmt.Errorf(format, args...)
		}
	}
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode:
	case *ast.UnaryNode:
		if n.Operator != "-" && n.Operator != "+" {
			fail("%q is no arithmetic", n.Operator)
		}
	case *ast.BinaryNode:
		if !slices.Contains([]string{"+", "-", "*", "/", "%", "^", "**"}, n.Operator) {
			fail("%q is no arithmetic", n.Operator)
		}
	case *ast.IdentifierNode:
		if functions[n.Value] == nil && constants[n.Value] == nil {
			fail("%q is not known: write numbers", n.Value)
		}
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); !ok || functions[name.Value] == nil {
			fail("only functions such as sqrt can be called")
		}
	case *ast.BuiltinNode:
		if functions[n.Name] == nil {
			fail("%q is not known", n.Name)
		}
	default:
		fail("only numbers, operators and functions can be computed")
	}
}

// floats makes all numbers real ones, so that nothing overflows and % works on all.
type floats struct{}

// Visit implements ast.Visitor.
func (floats) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode:
		ast.Patch(node, &ast.FloatNode{Value: float64(n.Value)})
	case *ast.BinaryNode:
		if n.Operator == "%" {
			ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: remainder}, Arguments: []ast.Node{n.Left, n.Right}})
		}
	}
}

// remainder is the function that stands for %.
const remainder = "remainderOf"

func init() { functions[remainder] = math.Mod }
