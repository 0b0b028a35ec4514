package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

const (
	// maxJSON is the longest answer that JSON is looked for in, in bytes.
	maxJSON = 64 << 10
	// maxCandidates is how many beginnings of a value are tried.
	maxCandidates = 200
)

// JSON finds the first value in an answer that fits into, a pointer to a struct, and reads it. Reasoning, prose and code
// fences around it do not matter, nor do comments, trailing commas, single or typographic quotation marks, and numbers as
// strings or strings as numbers. A bare list stands for a struct whose only field is a list. A value that is cut off
// is not read. The error is ErrInvalidJSON with what was wrong.
func JSON(text string, into any) error {
	if len(text) > maxJSON {
		return fmt.Errorf("%w: it is longer than %d bytes", ErrInvalidJSON, maxJSON)
	}
	text = withoutReasoning(text)
	target := reflect.TypeOf(into).Elem()
	var wrong error
	inside := 0
	for at, tried := 0, 0; at < len(text) && tried < maxCandidates; at++ {
		if text[at] != '{' && text[at] != '[' {
			continue
		}
		tried++
		value, end, err := parseValue(text, at)
		if errors.Is(err, errTruncated) {
			return fmt.Errorf("%w: it is cut off", ErrInvalidJSON)
		}
		if err == nil {
			list, isList := value.([]any)
			if isList && len(list) == 0 && at < inside {
				continue
			}
			err = fit(value, target, into)
		}
		if err == nil {
			return nil
		}
		if wrong == nil {
			wrong = err
		}
		inside = max(inside, end)
	}
	if wrong == nil {
		wrong = errors.New("it holds no JSON object")
	}
	return fmt.Errorf("%w: %w", ErrInvalidJSON, wrong)
}

// withoutReasoning returns a text without reasoning, channels and chat marks.
func withoutReasoning(text string) string {
	var all collector
	w := newWire("", &all)
	w.write(text)
	w.close()
	return string(all)
}

// collector collects a text.
type collector []byte

func (c *collector) write(text string) { *c = append(*c, text...) }
func (c *collector) close()            {}
func (c *collector) reset()            { *c = nil }

// fit reads a value into a pointer to a value of type target.
func fit(value any, target reflect.Type, into any) error {
	if list, ok := value.([]any); ok {
		name, only := onlyList(target)
		if !only {
			return errors.New("a list was not asked for")
		}
		value = map[string]any{name: list}
	}
	shaped, err := shape(value, target)
	if err != nil {
		return err
	}
	if known, ok := shaped.(map[string]any); ok && len(known) == 0 {
		return errors.New("the object has none of the fields that were asked for")
	}
	plain, err := json.Marshal(shaped)
	if err != nil {
		return err
	}
	read := reflect.New(target)
	if err := json.Unmarshal(plain, read.Interface()); err != nil {
		return err
	}
	reflect.ValueOf(into).Elem().Set(read.Elem())
	return nil
}

// onlyList returns the name of a struct's only field, if it is a list.
func onlyList(t reflect.Type) (name string, ok bool) {
	if t.Kind() != reflect.Struct || t.NumField() != 1 {
		return "", false
	}
	field := t.Field(0)
	kind := field.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return fieldName(field), kind.Kind() == reflect.Slice
}
