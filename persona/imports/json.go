package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// maxNesting bounds how deep values that nobody reads may be nested.
const maxNesting = 200

// jsonReader streams a JSON file.
type jsonReader struct {
	*emitter
	dec *json.Decoder
	in  *guard
	// stem is the file's name without extension.
	stem string
}

func newJSONReader(in *guard, stem string, e *emitter) *jsonReader {
	return &jsonReader{emitter: e, dec: json.NewDecoder(in), in: in, stem: stem}
}

// finish checks that nothing follows the value, and adds the place to an error.
func (r *jsonReader) finish(err error) error {
	if err == nil {
		r.in.renew()
		var more json.Token
		if more, err = r.dec.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("%v follows the end of the JSON value", more)
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file ends in the middle of a value: it is truncated; export or download it again")
	}
	return fmt.Errorf("near byte %d: %w", r.dec.InputOffset(), plainError(err))
}

// plainError explains a JSON error without Go types.
func plainError(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("found a JSON %s where another kind of value belongs", kind.Value)
	}
	return fmt.Errorf("%s is a JSON %s: another kind of value belongs there", kind.Field, kind.Value)
}

// token reads a token with a budget of its own.
func (r *jsonReader) token() (json.Token, error) {
	r.in.renew()
	return r.dec.Token()
}

// array calls do for each item of a list, which it must read. null counts as an empty list.
func (r *jsonReader) array(what string, do func() error) error {
	begin, err := r.token()
	if err != nil || begin == nil {
		return err
	}
	if begin != json.Delim('[') {
		return fmt.Errorf("%s is not a list", what)
	}
	for r.more() {
		if err := do(); err != nil {
			return err
		}
	}
	_, err = r.token()
	return err
}

// object calls do for each key of an object, which must read the value. null counts as an empty object.
func (r *jsonReader) object(what string, do func(key string) error) error {
	begin, err := r.token()
	if err != nil || begin == nil {
		return err
	}
	if begin != json.Delim('{') {
		return fmt.Errorf("%s is not an object", what)
	}
	return r.members(do)
}

// members is object after the opening brace.
func (r *jsonReader) members(do func(key string) error) error {
	for r.more() {
		key, err := r.token()
		if err != nil {
			return err
		}
		if err := do(key.(string)); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

func (r *jsonReader) more() bool {
	r.in.renew()
	return r.dec.More()
}

// value decodes the next value.
func (r *jsonReader) value(v any) error {
	r.in.renew()
	return r.dec.Decode(v)
}

// skip reads over the next value.
func (r *jsonReader) skip() error {
	for depth := 0; ; {
		token, err := r.token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		if depth > maxNesting {
			return fmt.Errorf("values are nested more than %d deep: this is not what a chat program exports", maxNesting)
		}
		if depth == 0 {
			return nil
		}
	}
}

// each reads one object, or a list of them: exports have one or the other.
func (r *jsonReader) each(do func(key string) error, begin, end func() error) error {
	first, err := r.token()
	if err != nil {
		return err
	}
	one := func() error { return errors.Join(begin(), r.members(do)) }
	switch first {
	case json.Delim('{'):
		if err := one(); err != nil {
			return err
		}
		return end()
	case json.Delim('['):
		for r.more() {
			if token, err := r.token(); err != nil {
				return err
			} else if token != json.Delim('{') {
				return errors.New("the list contains something other than objects")
			}
			if err := one(); err != nil {
				return err
			}
			if err := end(); err != nil {
				return err
			}
		}
		_, err := r.token()
		return err
	}
	return errors.New("the file holds neither an object nor a list")
}

// loose is a text where some programs write a number, null or something else.
type loose string

// UnmarshalJSON implements json.Unmarshaler. What is neither a text nor a number is "".
func (l *loose) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case json.Unmarshal(data, &text) == nil:
	case len(data) > 0 && (data[0] == '-' || data[0] >= '0' && data[0] <= '9'):
		text = string(data)
	}
	*l = loose(text)
	return nil
}

// moment is a time as a number of seconds or milliseconds, or as a text.
type moment struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler. A time that cannot be read is zero.
func (m *moment) UnmarshalJSON(data []byte) error {
	var text loose
	if err := text.UnmarshalJSON(data); err != nil {
		return err
	}
	m.Time = readTime(string(text))
	return nil
}

// layouts are the forms of times that the programs write.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999-07:00", "2006-01-02 15:04:05",
	"January 2, 2006 3:04pm", "January 2, 2006 3:04 pm",
	"2006-1-2@15h4m5s", "2006-1-2 @15h 4m 5s", "2006-01-02@15h04m05s",
}

// millisBegin tells seconds from milliseconds: seconds of the year 5138, milliseconds of 1973.
const millisBegin = 1e11

// readTime reads a time, zero if it is none.
func readTime(text string) time.Time {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if n < millisBegin {
			n *= 1000
		}
		if n > 0 && n < 1e15 {
			return time.UnixMilli(int64(n)).UTC()
		}
		return time.Time{}
	}
	text = tavernMillis.ReplaceAllString(text, "$1")
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
