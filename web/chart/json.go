package chart

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// A chart as JSON is what reports carry. A point is [seconds since 1970, value], with the lower edge of a band as a
// third number; a gap is null.

var shapeNames = map[Shape]string{Line: "line", Step: "step", Area: "area", Band: "band"}

// MarshalText returns the name of the shape.
func (s Shape) MarshalText() ([]byte, error) {
	name, ok := shapeNames[s]
	if !ok {
		return nil, fmt.Errorf("there is no shape %d", int(s))
	}
	return []byte(name), nil
}

// UnmarshalText reads the name of a shape.
func (s *Shape) UnmarshalText(text []byte) error {
	for shape, name := range shapeNames {
		if name == string(text) {
			*s = shape
			return nil
		}
	}
	return fmt.Errorf("there is no shape %q: use line, step, area or band", text)
}

// MarshalJSON returns the point as an array.
func (p Point) MarshalJSON() ([]byte, error) {
	b := append([]byte{'['}, strconv.FormatInt(p.At.Unix(), 10)...)
	b = appendValue(append(b, ','), p.Value)
	if p.Low != 0 {
		b = appendValue(append(b, ','), p.Low)
	}
	return append(b, ']'), nil
}

// appendValue appends a value, null if it is no finite number.
func appendValue(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// The seconds of the years that a time axis shows, 1 to 9999.
const (
	firstSecond = -62135596800
	lastSecond  = 253402300799
)

// UnmarshalJSON reads a point from an array.
func (p *Point) UnmarshalJSON(data []byte) error {
	var numbers []*float64
	if err := json.Unmarshal(data, &numbers); err != nil {
		return fmt.Errorf("a point: %w", err)
	}
	if len(numbers) < 2 || len(numbers) > 3 || numbers[0] == nil {
		return errors.New("a point has a time and one or two values: [1767571200, 12.5]")
	}
	at := *numbers[0]
	if !(at >= firstSecond && at <= lastSecond) {
		return fmt.Errorf("a point at second %v is outside the years 1 to 9999", at)
	}
	*p = Point{At: time.Unix(int64(at), 0).UTC(), Value: value(numbers[1])}
	if len(numbers) == 3 {
		p.Low = value(numbers[2])
	}
	return nil
}

func value(v *float64) float64 {
	if v == nil {
		return gap
	}
	return *v
}

// MarshalJSON returns the values as an array, with null for what is missing.
func (v Values) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, n := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, n)
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads values from an array.
func (v *Values) UnmarshalJSON(data []byte) error {
	var numbers []*float64
	if err := json.Unmarshal(data, &numbers); err != nil {
		return fmt.Errorf("the values of a bar: %w", err)
	}
	*v = make(Values, len(numbers))
	for i, n := range numbers {
		(*v)[i] = value(n)
	}
	return nil
}
