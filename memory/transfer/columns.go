package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"familiar/memory/entry"
	"familiar/memory/log"
)

// column is one exported column: its name in the table and in a record, and how its values are written.
type column struct {
	name, key string
	form      columnForm
	// of is the kind of record that a reference points to.
	of string
	// nullable allows NULL. dropRef omits a reference to a row that is not exported; otherwise the row with the
	// reference is omitted.
	nullable, dropRef bool
	// omitZero omits an empty text or a 0, and reads a missing value as one.
	omitZero bool
	// said says that the text is in the words of people, so that secrets in it are redacted when it is imported.
	said bool
	// bounds is the range of its numbers, nil for the one of its form.
	bounds *bounds
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
	// asSubject is the subject of a greeting, which may contain the ID of a memory or a loop.
	asSubject
)

func textCol(name string) column { return column{name: name, key: name, form: asText} }

// saidCol is a column with the words of people.
func saidCol(name string) column { return column{name: name, key: name, form: asText, said: true} }

func wholeCol(name string) column {
	return column{name: name, key: name, form: asWhole}
}

func realCol(name string) column { return column{name: name, key: name, form: asReal} }

func flagCol(name string) column { return column{name: name, key: name, form: asFlag} }

func timeCol(name string) column {
	return column{name: name, key: name, form: asMoment}
}

// dateCol is a time that a text names.
func dateCol(name string) column { c := timeCol(name); c.bounds = &calendar; return c }

// endCol is a time at which something ends: far away, if it lasts long.
func endCol(name string) column { c := timeCol(name); return c.within(calendar.low, anyCount.high) }

// shareCol is a number from 0 to 1.
func shareCol(name string) column { return realCol(name).within(0, 1) }

func subjectCol(name string) column {
	return column{name: name, key: name, form: asSubject}
}

// refCol is a column that holds the ID of a row of another table.
func refCol(name, of string) column {
	return column{name: name, key: strings.TrimSuffix(name, "_id"), form: asRef, of: of}
}

func (c column) named(key string) column { c.key = key; return c }
func (c column) optional() column        { c.nullable = true; return c }
func (c column) optionalRef() column     { c.nullable, c.dropRef = true, true; return c }
func (c column) omitEmpty() column       { c.omitZero = true; return c }

// timeLayout formats times: RFC 3339, UTC, with milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z"

// errNotCarried reports that a row refers to a row that is not exported or imported, so it is omitted too.
var errNotCarried = errors.New("a row it refers to is not carried over")

// encode converts a stored value to its form in a record. number maps a referenced ID to its record number. A nil
// result is omitted.
func (c column) encode(v any, number func(of string, id int64) (int64, bool)) (any, error) {
	if v == nil || c.omitZero && (v == "" || v == int64(0)) {
		return nil, nil
	}
	switch c.form {
	case asFlag:
		return v != int64(0), nil
	case asMoment:
		t := time.UnixMilli(v.(int64)).UTC()
		if t.Year() < 0 || t.Year() > 9999 { // RFC 3339 cannot express these
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

// errMissing and errForm describe an invalid value of a record.
var (
	errMissing = errors.New("is missing")
	errForm    = errors.New("has the wrong type or format")
)

// decode converts a record's value to its stored form. id maps a record number to a row ID.
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
		if c.said {
			words = log.Redact(words)
		}
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

// renumber replaces the ID of the memory or loop in the subject of a greeting.
func renumber(subject string, other func(of string, n int64) (int64, bool)) (string, error) {
	memories, loops := entry.ParseSubjects([]string{subject})
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
