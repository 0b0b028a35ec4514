package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// shape converts a value to what a type asks for: numbers to strings and back, one value to a list of one. It drops the
// fields that a struct does not have.
func shape(value any, t reflect.Type) (any, error) {
	switch t.Kind() {
	case reflect.Pointer:
		if value == nil {
			return nil, nil
		}
		return shape(value, t.Elem())
	case reflect.Struct:
		return shapeStruct(value, t)
	case reflect.Slice:
		return shapeList(value, t)
	case reflect.String:
		return shapeString(value)
	case reflect.Int, reflect.Int64, reflect.Int32:
		number, err := shapeNumber(value)
		if err == nil && number != math.Trunc(number) {
			err = errors.New("a fraction stands where a whole number was asked for")
		}
		return number, err
	case reflect.Float64, reflect.Float32:
		return shapeNumber(value)
	case reflect.Bool:
		return shapeBool(value)
	}
	return value, nil
}

func shapeStruct(value any, t reflect.Type) (any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s stands where an object was asked for", kindOf(value))
	}
	out := make(map[string]any)
	for i := range t.NumField() {
		field := t.Field(i)
		name := fieldName(field)
		given, found := object[name]
		if !found {
			for key, v := range object {
				if sameKey(key, name) {
					given, found = v, true
				}
			}
		}
		if !found {
			continue
		}
		shaped, err := shape(given, field.Type)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		out[name] = shaped
	}
	return out, nil
}

// fieldName returns the name of a field in JSON.
func fieldName(field reflect.StructField) string {
	if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
		return name
	}
	return field.Name
}

// sameKey reports whether a key is a name in another style: "Due Date" for "due_date".
func sameKey(key, name string) bool {
	bare := strings.NewReplacer("_", "", "-", "", " ", "")
	return strings.EqualFold(bare.Replace(key), bare.Replace(name))
}

func shapeList(value any, t reflect.Type) (any, error) {
	var list []any
	switch v := value.(type) {
	case nil:
		return nil, nil
	case []any:
		list = v
	case string:
		if t.Elem().Kind() == reflect.String {
			list = []any{v}
			break
		}
		for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
			list = append(list, part)
		}
	default:
		list = []any{v}
	}
	out := make([]any, 0, len(list))
	for _, each := range list {
		shaped, err := shape(each, t.Elem())
		if err != nil {
			return nil, err
		}
		out = append(out, shaped)
	}
	return out, nil
}

func shapeString(value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		if len(v) == 1 {
			return shapeString(v[0])
		}
	}
	return nil, fmt.Errorf("%s stands where a text was asked for", kindOf(value))
}

func shapeNumber(value any) (float64, error) {
	switch v := value.(type) {
	case json.Number:
		return v.Float64()
	case nil:
		return 0, nil
	case string:
		text := strings.Trim(v, " #.")
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			number, err = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		}
		if err == nil && !math.IsInf(number, 0) && !math.IsNaN(number) {
			return number, nil
		}
	}
	return 0, fmt.Errorf("%s stands where a number was asked for", kindOf(value))
}

func shapeBool(value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes", "1":
			return true, nil
		case "false", "no", "0", "":
			return false, nil
		}
	case json.Number:
		return v.String() != "0", nil
	}
	return nil, fmt.Errorf("%s stands where true or false was asked for", kindOf(value))
}

// kindOf names a value's kind. Errors hold no text of an answer: they are logged.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	}
	return "an object"
}
