package calculator

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Converted is a value in another unit, with the names of both.
type Converted struct {
	From, To string
	Value    float64
}

// Convert converts a value between two units of one kind, by names or symbols. The error tells a model which unit is not known.
// A symbol with several meanings is taken as the one that goes with the other unit.
func Convert(v float64, from, to string) (Converted, error) {
	given, wanted := unitsNamed(from), unitsNamed(to)
	switch {
	case len(given) == 0:
		return Converted{}, fmt.Errorf("the unit %q is not known", from)
	case len(wanted) == 0:
		return Converted{}, fmt.Errorf("the unit %q is not known", to)
	}
	for _, a := range given {
		for _, b := range wanted {
			if a.kind == b.kind {
				return Converted{a.name, b.name, (v*a.factor + a.zero - b.zero) / b.factor}, nil
			}
		}
	}
	return Converted{}, fmt.Errorf("%s cannot be converted to %s", from, to)
}

// unit is a unit: v of it are v*factor+zero of the base unit of its kind.
type unit struct {
	kind, name   string
	factor, zero float64
}

//go:embed units.txt
var unitsText string

// zeros are where the scales of temperatures begin, in kelvin.
var zeros = map[string]float64{"degrees Celsius": 273.15, "degrees Fahrenheit": 273.15 - 32.0*5/9}

// units are the units by their names in lower case.
var units = sync.OnceValue(func() map[string][]unit {
	all := make(map[string][]unit)
	for line := range strings.Lines(unitsText) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(line, "#") || len(fields) != 4 {
			continue
		}
		factor, err := strconv.ParseFloat(strings.TrimSpace(fields[1]), 64)
		if err != nil {
			panic(fmt.Sprintf("units.txt: %q: %v", line, err)) // a test reads all of it
		}
		name := strings.TrimSpace(fields[2])
		u := unit{strings.TrimSpace(fields[0]), name, factor, zeros[name]}
		for n := range strings.SplitSeq(fields[3]+","+name, ",") {
			if n = strings.ToLower(strings.TrimSpace(n)); n != "" {
				all[n] = append(all[n], u)
			}
		}
	}
	return all
})

// unitsNamed returns what a name may mean, also with a plural that the table does not have.
func unitsNamed(name string) []unit {
	name = strings.ToLower(strings.Join(strings.Fields(name), " "))
	if found := units()[name]; len(found) > 0 {
		return found
	}
	if len(name) > 3 {
		return units()[strings.TrimSuffix(name, "s")]
	}
	return nil
}
