package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Size is a number of bytes.
type Size int64

// sizeUnits lists the units of sizes, largest first.
var sizeUnits = []struct {
	name  string
	bytes Size
}{{"GB", 1_000_000_000}, {"MB", 1_000_000}, {"kB", 1_000}}

// UnmarshalText parses a whole number of kB, MB or GB.
func (s *Size) UnmarshalText(text []byte) error {
	for _, unit := range sizeUnits {
		number, ok := strings.CutSuffix(strings.ToLower(string(text)), strings.ToLower(unit.name))
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 32)
		if err == nil && n >= 0 {
			*s = Size(n) * unit.bytes
			return nil
		}
	}
	return errors.New("takes a size such as 500kB or 10MB")
}

// String returns the size in the format of the file.
func (s Size) String() string {
	for _, unit := range sizeUnits {
		if s >= unit.bytes && s%unit.bytes == 0 {
			return fmt.Sprintf("%d%s", s/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", int64(s))
}
