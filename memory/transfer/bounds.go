package transfer

import (
	"fmt"
	"time"
)

// An import takes only values that a store can have written: one absurd number, such as a talk in the year 9998, would
// outweigh everything else in a home for ever.

// bounds is the range of a column's numbers, both ends included.
type bounds struct{ low, high float64 }

// within limits the column's numbers.
func (c column) within(low, high float64) column { c.bounds = &bounds{low, high}; return c }

// The ranges of columns that name none: counts, durations in milliseconds and places are not negative, measures are bounded.
var (
	anyCount   = bounds{0, 1e15}
	anyMeasure = bounds{-1e6, 1e6}
)

// calendar is the range of the dates that texts name, in milliseconds: the years 1 to 9999.
var calendar = bounds{
	float64(time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC).UnixMilli()),
	float64(time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC).UnixMilli() - 1),
}

// recordedAhead is how far in the future something can have been recorded: clocks differ, and some are set wrong.
const recordedAhead = 10 * 365 * 24 * time.Hour

// checkBounds refuses a value that no store writes.
func (im *importer) checkBounds(c column, value any) error {
	b := im.boundsOf(c)
	if b == nil {
		return nil
	}
	n := 0.0
	switch v := value.(type) {
	case int64:
		n = float64(v)
	case float64:
		n = v
	default:
		return nil // NULL
	}
	switch {
	case n >= b.low && n <= b.high:
		return nil
	case c.form == asMoment:
		return fmt.Errorf("%q is a time in the year %d: take %d to %d", c.key, yearOf(n), yearOf(b.low), yearOf(b.high))
	}
	return fmt.Errorf("%q is %g: take %g to %g", c.key, n, b.low, b.high)
}

func yearOf(millis float64) int { return time.UnixMilli(int64(millis)).UTC().Year() }

// boundsOf returns the range of a column's values, nil if it has none.
func (im *importer) boundsOf(c column) *bounds {
	switch {
	case c.bounds != nil:
		return c.bounds
	case c.form == asReal:
		return &anyMeasure
	case c.form == asWhole:
		return &anyCount
	case c.form == asMoment:
		return &bounds{calendar.low, float64(im.Now.Add(recordedAhead).UnixMilli())}
	}
	return nil
}
