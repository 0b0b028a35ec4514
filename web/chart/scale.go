package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// most is the largest magnitude that is drawn. Differences of larger numbers overflow.
const most = 1e100

// drawable reports whether a value has a place on an axis.
func drawable(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= most }

// scale maps values to heights: min is at the bottom.
type scale struct {
	min, max, step float64
}

// newScale returns a scale over min to max, widened to round ticks, in about the given number of steps.
func newScale(min, max float64, whole bool, steps int) scale {
	if least := math.Max(math.Abs(min), math.Abs(max)) * 1e-9; max-min <= least {
		pad := math.Max(least, math.Abs(max)/2)
		if pad == 0 {
			pad = 1
		}
		if min >= 0 {
			min, max = math.Max(0, min-pad), max+pad
		} else {
			min, max = min-pad, max+pad
		}
	}
	step := roundStep((max - min) / float64(steps))
	if whole {
		step = math.Max(1, step)
	}
	return scale{math.Floor(min/step+1e-9) * step, math.Ceil(max/step-1e-9) * step, step}
}

// roundStep returns the smallest of 1, 2, 5 × 10^n that is not less than v.
func roundStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// at returns the height of a value within a plot that is high pixels high, from the top.
func (s scale) at(v, high float64) float64 { return high * (s.max - v) / (s.max - s.min) }

// ticks returns the values to label, from the bottom.
func (s scale) ticks() (values []float64) {
	n := int(math.Round((s.max - s.min) / s.step))
	for i := range n + 1 {
		values = append(values, s.min+float64(i)*s.step)
	}
	return values
}

// thousands are the words for large numbers on an axis, where room is short.
var thousands = []struct {
	from   float64
	suffix string
}{{1e12, "tn"}, {1e9, "bn"}, {1e6, "M"}, {1e3, "k"}}

// label returns a tick's value as text, without digits that the step makes idle: 0.5, 250, 12k.
func (s scale) label(v float64) string {
	largest := math.Max(math.Abs(s.min), math.Abs(s.max))
	if largest >= 1e15 || s.step < 1e-6 {
		return minus(strconv.FormatFloat(v, 'g', 3, 64))
	}
	if math.Abs(v) < s.step/2 {
		return "0"
	}
	if largest >= 10_000 {
		for _, t := range thousands {
			if largest >= t.from {
				return minus(strconv.FormatFloat(v/t.from, 'f', decimals(s.step/t.from), 64) + t.suffix)
			}
		}
	}
	return minus(humanize.CommafWithDigits(v, decimals(s.step)))
}

// decimals returns how many digits after the point a step needs.
func decimals(step float64) int {
	return int(math.Min(9, math.Max(0, math.Ceil(-math.Log10(step)-1e-9))))
}

// Number returns a value as tables and labels show it: whole or to three significant digits, with thousands set off.
func Number(v float64) string {
	switch size := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case size >= 1e15:
		return minus(strconv.FormatFloat(v, 'g', 4, 64))
	case v == math.Trunc(v), size >= 100:
		return minus(humanize.CommafWithDigits(math.Round(v), 0))
	case size < 1e-6:
		return minus(strconv.FormatFloat(v, 'g', 3, 64))
	default:
		return minus(humanize.CommafWithDigits(rounded(v, size), 9))
	}
}

// rounded returns v to three significant digits.
func rounded(v, size float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', int(math.Max(0, 2-math.Floor(math.Log10(size)))), 64), 64)
	if err != nil {
		return v
	}
	return r
}

// minus sets the sign that is as wide as a digit.
func minus(s string) string {
	if s == "-0" {
		return "0"
	}
	return strings.ReplaceAll(s, "-", "−")
}
