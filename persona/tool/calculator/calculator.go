// Package calculator is a tool that computes and converts units.
package calculator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"familiar/persona/tool"
)

// Name is the name of the tool.
const Name = "calculator"

// New returns the tool.
func New() tool.Tool { return calculator{} }

type calculator struct{}

// Spec implements tool.Tool.
func (calculator) Spec() tool.Spec {
	return tool.Spec{
		Name: Name,
		Description: "Compute something exactly, or convert it to another unit. Use it in place of computing in your head. " +
			"It knows + - * / % ^, brackets, sqrt, abs, round, floor, ceil, min, max, log, log10, exp, sin, cos, tan, pi, e, and units such as km, " +
			"miles, kg, pounds, celsius, liters, hours; no currencies.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"expression":{"type":"string","description":"what to compute, such as (17.5+3)*2^3"},` +
			`"from":{"type":"string","description":"the unit of the result, if it is to be converted, such as miles"},` +
			`"to":{"type":"string","description":"the unit to convert it to, such as km"}},"required":["expression"]}`),
		Aliases: []string{"calc", "calculate", "compute", "math", "convert", "convert_units", "units"},
		Touches: []tool.Reach{tool.ReachNothing}, Default: tool.Deny, ReadOnly: true,
	}
}

// Call implements tool.Tool.
func (calculator) Call(_ context.Context, u tool.Use) (tool.Result, error) {
	var given struct{ Expression, From, To string }
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	value, err := Evaluate(given.Expression)
	if err != nil {
		return tool.Result{}, err
	}
	from, to := strings.TrimSpace(given.From), strings.TrimSpace(given.To)
	switch {
	case from == "" && to == "":
		return tool.Result{Text: "The result is " + format(value) + ".", ProgramText: true}, nil
	case from == "" || to == "":
		return tool.Result{}, errors.New("a conversion needs both units, from and to")
	}
	converted, err := Convert(value, from, to)
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{Text: fmt.Sprintf("%s %s are %s %s.", format(value), converted.From, format(converted.Value), converted.To), ProgramText: true}, nil
}

// digits is how many digits of a number are shown.
const digits = 12

// format returns a number as people write it.
func format(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		rounded = v
	}
	if size := math.Abs(rounded); size != 0 && (size < 1e-6 || size >= 1e15) {
		return strconv.FormatFloat(rounded, 'g', -1, 64)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
