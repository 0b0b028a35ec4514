package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"familiar/memory/entry"
)

// column is one column that is carried: what it is called in the table and in a record, and how its values are
// written.
type column struct {
	name, key string
	form      columnForm
	// of is the kind of record a reference is to.
	of string
	// nullable says that it may be missing; loose that a reference is left out when what it refers to is not carried,
	// where otherwise its row would be.
	nullable, dropRef bool
	// omitZero says that an empty text or a 0 is left out, and what is missing is one.
	omitZero bool
}

// columnForm is how the values of a column are written.
type columnForm int

const (
	asText columnForm = iota
	asWhole
	asReal
	asFlag
	asMoment
	asRef
	// asSubject is the subject of a greeting, which may name a memory or a loop by its number.
	asSubject
)

func textCol(name string) column { return column{name: name, key: name, form: asText} }

func wholeCol(name string) column {
	return column{name: name, key: name, form: asWhole}
}

func realCol(name string) column { return column{name: name, key: name, form: asReal} }

func flagCol(name string) column { return column{name: name, key: name, form: asFlag} }

func timeCol(name string) column {
	return column{name: name, key: name, form: asMoment}
}

func subjectCol(name string) column {
	return column{name: name, key: name, form: asSubject}
}

// refCol is a column that holds the id of a row of another table.
func refCol(name, of string) column {
	return column{name: name, key: strings.TrimSuffix(name, "_id"), form: asRef, of: of}
}

func (c column) named(key string) column { c.key = key; return c }
func (c column) optional() column        { c.nullable = true; return c }
func (c column) optionalRef() column     { c.nullable, c.dropRef = true, true; return c }
func (c column) omitEmpty() column       { c.omitZero = true; return c }

// timeLayout is how moments are written: RFC 3339, UTC, with milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z"

// errNotCarried says that a row refers to one that is not carried, and so cannot be either.
var errNotCarried = errors.New("what it refers to is not carried")

// encode is a stored value as it stands in a record; number finds the number of what a reference is to. A nil value
// is left out.
func (c column) encode(v any, number func(of string, id int64) (int64, bool)) (any, error) {
	if v == nil || c.omitZero && (v == "" || v == int64(0)) {
		return nil, nil
	}
	switch c.form {
	case asFlag:
		return v != int64(0), nil
	case asMoment:
		t := time.UnixMilli(v.(int64)).UTC()
		if t.Year() < 0 || t.Year() > 9999 { // what RFC 3339 has no words for
			return v, nil
		}
		return t.Format(timeLayout), nil
	case asRef:
		if n, ok := number(c.of, v.(int64)); ok {
			return n, nil
		}
		if c.dropRef {
			return nil, nil
		}
		return nil, errNotCarried
	case asSubject:
		return renumber(v.(string), number)
	case asText:
		return strings.ToValidUTF8(v.(string), "\uFFFD"), nil
	}
	return v, nil
}

// errMissing and errForm say what is wrong with a value of a record.
var (
	errMissing = errors.New("is missing")
	errForm    = errors.New("is not of the right form")
)

// decode is a record's value as it is stored; id finds the row of a reference's number.
func (c column) decode(v any, id func(of string, number int64) (int64, bool, error)) (any, error) {
	if v == nil {
		switch {
		case c.nullable:
			return nil, nil
		case c.omitZero && c.form == asText:
			return "", nil
		case c.omitZero:
			return int64(0), nil
		}
		return nil, fmt.Errorf("%q %w", c.key, errMissing)
	}
	value, err := c.parse(v, id)
	if errors.Is(err, errNotCarried) && c.dropRef {
		return nil, nil
	}
	if err != nil && !errors.Is(err, errNotCarried) {
		err = fmt.Errorf("%q: %w", c.key, err)
	}
	return value, err
}

func (c column) parse(v any, id func(of string, number int64) (int64, bool, error)) (any, error) {
	words, isText := v.(string)
	figure, _ := v.(json.Number)
	switch c.form {
	case asText:
		return words, formError(isText)
	case asFlag:
		on, ok := v.(bool)
		if on {
			return int64(1), formError(ok)
		}
		return int64(0), formError(ok)
	case asReal:
		x, err := figure.Float64()
		return x, formError(err == nil)
	case asMoment:
		if isText {
			t, err := time.Parse(time.RFC3339Nano, words)
			return t.UnixMilli(), formError(err == nil)
		}
	case asSubject:
		if !isText {
			return nil, errForm
		}
		return renumber(words, func(of string, number int64) (int64, bool) {
			row, ok, err := id(of, number)
			return row, ok && err == nil
		})
	}
	n, err := figure.Int64()
	if err != nil || c.form != asRef {
		return n, formError(err == nil)
	}
	row, carried, err := id(c.of, n)
	if err == nil && !carried {
		err = errNotCarried
	}
	return row, err
}

func formError(ok bool) error {
	if !ok {
		return errForm
	}
	return nil
}

// renumber gives the memory or loop that the subject of a greeting names its other number.
func renumber(subject string, other func(of string, n int64) (int64, bool)) (string, error) {
	memories, loops := entry.SubjectsOf([]string{subject})
	ids := append(memories, loops...)
	if len(ids) == 0 {
		return subject, nil
	}
	parts := strings.SplitN(subject, ":", 3) // "loop:3:after"
	n, ok := other(parts[0], ids[0])
	if !ok {
		return "", errNotCarried
	}
	parts[1] = strconv.FormatInt(n, 10)
	return strings.Join(parts, ":"), nil
}
