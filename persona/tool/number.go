package tool

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// maxExponent bounds the exponents of numbers that are computed exactly. A float64 holds no larger number.
const maxExponent = 308

// numberAsText is a number as models write it into a text.
var numberAsText = regexp.MustCompile(`^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$`)

// readNumber reads a number that a model wrote as a text, such as "5", "+5", "1_000" or ".5". It keeps the value of every digit, and
// reports false for what is no number, or one that a float64 has no room for.
func readNumber(text string) (n json.Number, ok bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "_", "")
	if !numberAsText.MatchString(text) {
		return "", false
	}
	sign, digits := "", strings.TrimPrefix(text, "+")
	if after, minus := strings.CutPrefix(text, "-"); minus {
		sign, digits = "-", after
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" || strings.IndexByte(".eE", digits[0]) >= 0 {
		digits = "0" + digits
	}
	n = json.Number(sign + digits)
	_, err := n.Float64()
	return n, err == nil
}

// plainNumber writes a whole number without a fraction and an exponent, so that a tool can read it as an integer: 5.0 and 1e3 as 5
// and 1000. Every other number stays as it is.
func plainNumber(n json.Number) json.Number {
	if !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	if _, exponent, found := strings.Cut(strings.ToLower(n.String()), "e"); found {
		if e, err := strconv.Atoi(exponent); err != nil || e > maxExponent || e < -maxExponent {
			return n
		}
	}
	exact, ok := new(big.Rat).SetString(n.String())
	if !ok || !exact.IsInt() {
		return n
	}
	return json.Number(exact.Num().String())
}

// isWhole reports whether a number as plainNumber writes it is whole.
func isWhole(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }

// plainNumbers writes all numbers within a value as plainNumber does.
func plainNumbers(value any) any {
	return mapNumbers(value, func(n json.Number) any { return plainNumber(n) })
}

// forValidation returns a value with numbers as float64, as the schema has them. Both are rounded alike, so that a number that fits is
// not refused; the call has the number itself. A number that is too large for a float64 becomes a text, which fits no type of number.
func forValidation(value any) any {
	return mapNumbers(value, func(n json.Number) any {
		f, err := n.Float64()
		if err != nil {
			return n.String()
		}
		return f
	})
}

// mapNumbers returns a copy of a value in which each number is replaced.
func mapNumbers(value any, replace func(json.Number) any) any {
	switch v := value.(type) {
	case json.Number:
		return replace(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			out[name] = mapNumbers(one, replace)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = mapNumbers(one, replace)
		}
		return out
	}
	return value
}
