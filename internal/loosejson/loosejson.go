// Package loosejson reads JSON objects that other programs wrote and writes them back without losing what it does not
// understand: unknown keys, values of an unexpected type, digits of numbers. It compares what a struct holds with what was
// read, and replaces only what changed.
package loosejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Object is a JSON object whose values are kept as they were written.
type Object map[string]json.RawMessage

// ErrTooComplex reports JSON that is nested too deeply or has too many values.
var ErrTooComplex = errors.New("too complex")

// Parse reads one JSON object, with a byte order mark or without. It fails with ErrTooComplex, before anything is
// allocated, if values are nested deeper than depth or if there are more than values of them.
func Parse(data []byte, depth, values int) (Object, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if err := measure(data, depth, values); err != nil {
		return nil, err
	}
	var o Object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, fmt.Errorf("read JSON: %w", plainer(err))
	}
	if o == nil {
		return nil, errors.New("read JSON: this is null, not an object")
	}
	return o, nil
}

// plainer replaces errors that name types of Go.
func plainer(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("this is %s, not an object", wrong.Value)
	}
	return err
}

// measure counts values and nesting outside of strings. It is no parser: wrong syntax passes.
func measure(data []byte, depth, values int) error {
	open, count, text := 0, 1, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if open++; open > depth {
				return fmt.Errorf("read JSON: %w: values are nested deeper than %d levels", ErrTooComplex, depth)
			}
		case c == '}' || c == ']':
			open--
		case c == ',':
			if count++; count > values {
				return fmt.Errorf("read JSON: %w: there are more than %d values", ErrTooComplex, values)
			}
		}
	}
	return nil
}

// Decode fills the fields of the struct that into points to from the keys in their json tags. A value that does not fit its
// field leaves it as it is, and its key is returned.
func (o Object) Decode(into any) (unfit []string) {
	eachField(into, func(key string, field reflect.Value) {
		raw, ok := o[key]
		if !ok {
			return
		}
		read := reflect.New(field.Type())
		if json.Unmarshal(raw, read.Interface()) != nil {
			unfit = append(unfit, key)
			return
		}
		field.Set(read.Elem())
	})
	return unfit
}

// Encode returns the object with the fields of now, a pointer to a struct. A field that equals that of before stays as the
// object has it, also if it is absent, except that the keys in required are added.
func (o Object) Encode(before, now any, required ...string) (Object, error) {
	out := make(Object, len(o))
	maps.Copy(out, o)
	old := map[string]reflect.Value{}
	eachField(before, func(key string, field reflect.Value) { old[key] = field })
	var failed error
	eachField(now, func(key string, field reflect.Value) {
		_, has := out[key]
		changed := !reflect.DeepEqual(old[key].Interface(), field.Interface())
		if !changed && (has || !slices.Contains(required, key)) {
			return
		}
		raw, err := Marshal(field.Interface())
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("write %s as JSON: %w", key, err))
		}
		out[key] = raw
	})
	return out, failed
}

// Marshal is json.Marshal without escapes for HTML, so that people can read what is written.
func Marshal(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Indent is Marshal on several lines, with a line break at the end.
func Indent(v any) ([]byte, error) {
	raw, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}

// Unknown returns the keys of the object that no field of the struct has, in no order.
func (o Object) Unknown(known any) (keys []string) {
	fields := map[string]bool{}
	eachField(known, func(key string, _ reflect.Value) { fields[key] = true })
	for key := range o {
		if !fields[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// eachField calls do with every field that has a json tag.
func eachField(pointer any, do func(key string, field reflect.Value)) {
	v := reflect.ValueOf(pointer).Elem()
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if key != "" && key != "-" {
			do(key, v.Field(i))
		}
	}
}
