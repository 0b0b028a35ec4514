package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"familiar/internal/spelling"
)

// schema reads the arguments of one tool.
type schema struct {
	name     string
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
	required []string
}

// deepest is how deep arguments are coerced; what is nested deeper must be right as it is.
const deepest = 8

func schemaOf(s Spec) (*schema, error) {
	root := &jsonschema.Schema{}
	if err := json.Unmarshal(s.Parameters, root); err != nil {
		return nil, fmt.Errorf("read its schema: %w", err)
	}
	resolved, err := root.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("read its schema: %w", err)
	}
	return &schema{name: s.Name, root: root, resolved: resolved, required: root.Required}, nil
}

// arguments reads what a model wrote as the arguments of the tool. The error tells the model what is wrong.
func (s *schema) arguments(text string) (json.RawMessage, error) {
	text = strings.ToValidUTF8(text, "\uFFFD") // the same call is written in one way
	given, err := parseArguments(text)
	switch {
	case errors.Is(err, errNoObject) && s.bare(text):
		given = map[string]any{s.required[0]: strings.Trim(strings.TrimSpace(text), "\"'`")}
	case errors.Is(err, errNoObject):
		return nil, fmt.Errorf("the arguments of %s must be a JSON object with %s", s.name, strings.Join(s.required, " and "))
	case err != nil:
		return nil, fmt.Errorf("the arguments of %s cannot be read: %w", s.name, err)
	}
	s.rename(given)
	for name, value := range given {
		if value == nil && !slices.Contains(s.required, name) {
			delete(given, name) // null for left out
			continue
		}
		given[name] = plainNumbers(coerce(value, s.root.Properties[name], 0))
	}
	for _, name := range s.required {
		if value, ok := given[name]; !ok || value == nil || isBlank(value) {
			return nil, fmt.Errorf("%s needs %q as a %s", s.name, name, kindOf(s.root.Properties[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if p := s.root.Properties[name]; p != nil && !isOf(given[name], p.Type) {
			return nil, fmt.Errorf("%s needs %q as a %s", s.name, name, kindOf(p))
		}
	}
	if err := s.resolved.Validate(forValidation(given)); err != nil {
		return nil, fmt.Errorf("the arguments of %s are wrong: %s", s.name, s.plainer(err))
	}
	out, err := json.Marshal(given)
	if err != nil {
		return nil, fmt.Errorf("the arguments of %s cannot be read: %w", s.name, err)
	}
	return out, nil
}

// bare reports whether a text that is no object stands for the only required argument.
func (s *schema) bare(text string) bool {
	if len(s.required) != 1 || strings.ContainsAny(text, "{}") || strings.TrimSpace(text) == "" {
		return false
	}
	p := s.root.Properties[s.required[0]]
	return p != nil && p.Type == "string"
}

// rename gives arguments the names of the schema where they are written otherwise: in other letters, misspelled, or without
// one, as in recall("the cat").
func (s *schema) rename(given map[string]any) {
	if first, unnamed := given[""]; unnamed && len(s.required) > 0 {
		delete(given, "")
		if _, there := given[s.required[0]]; !there {
			given[s.required[0]] = first
		}
	}
	missing := slices.DeleteFunc(slices.Sorted(maps.Keys(s.root.Properties)), func(name string) bool {
		_, there := given[name]
		return there
	})
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if s.root.Properties[name] != nil || len(missing) == 0 {
			continue
		}
		at := slices.IndexFunc(missing, func(m string) bool { return plainName(m) == plainName(name) })
		if near := spelling.Nearest(strings.ToLower(name), missing); at < 0 && near != "" {
			at = slices.Index(missing, near)
		}
		if at < 0 {
			continue
		}
		given[missing[at]] = given[name]
		delete(given, name)
		missing = slices.Delete(missing, at, at+1)
	}
}

func isBlank(value any) bool {
	text, ok := value.(string)
	return ok && strings.TrimSpace(text) == ""
}

// isOf reports whether a value may be of a type; the validation decides.
func isOf(value any, kind string) (ok bool) {
	switch kind {
	case "string":
		_, ok = value.(string)
	case "integer":
		n, isNumber := value.(json.Number)
		ok = isNumber && isWhole(n)
	case "number":
		_, ok = value.(json.Number)
	case "boolean":
		_, ok = value.(bool)
	case "array":
		_, ok = value.([]any)
	case "object":
		_, ok = value.(map[string]any)
	default:
		return true
	}
	return ok
}

// kindOf names the type of an argument.
func kindOf(p *jsonschema.Schema) string {
	switch {
	case p == nil || p.Type == "":
		return "value"
	case p.Type == "string":
		return "text"
	case p.Type == "array":
		return "list"
	case p.Type == "integer":
		return "whole number"
	case p.Type == "object":
		return "JSON object"
	}
	return p.Type
}

// plainer returns an error of the validation without its path through the schema.
func (s *schema) plainer(err error) string {
	text := err.Error()
	for strings.HasPrefix(text, "validating ") {
		_, rest, found := strings.Cut(text, ": ")
		if !found {
			break
		}
		text = rest
	}
	return text
}

// coerce returns a value as the type that a schema asks for, where it can only mean that: "5" as 5, 5 as "5", "yes" as true,
// one thing as a list of it. Anything else stays as it is.
func coerce(value any, p *jsonschema.Schema, depth int) any {
	if p == nil || depth > deepest {
		return value
	}
	switch p.Type {
	case "string":
		return asText(value)
	case "integer", "number":
		return asNumber(value)
	case "boolean":
		return asTruth(value)
	case "array":
		return asList(value, p, depth)
	case "object":
		return asObject(value, p, depth)
	}
	return value
}

func asText(value any) any {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		if len(v) == 1 {
			return asText(v[0])
		}
	}
	return value
}

func asNumber(value any) any {
	switch v := value.(type) {
	case string:
		if n, ok := readNumber(v); ok {
			return plainNumber(n)
		}
	case []any:
		if len(v) == 1 {
			return asNumber(v[0])
		}
	}
	return value
}

func asTruth(value any) any {
	switch v := value.(type) {
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes", "1", "on":
			return true
		case "false", "no", "0", "off":
			return false
		}
	case json.Number:
		switch v.String() {
		case "1":
			return true
		case "0":
			return false
		}
	}
	return value
}

func asList(value any, p *jsonschema.Schema, depth int) any {
	list, ok := value.([]any)
	if text, isText := value.(string); isText && strings.HasPrefix(strings.TrimSpace(text), "[") {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		ok = d.Decode(&list) == nil
	}
	if !ok {
		list = []any{value}
	}
	out := make([]any, len(list))
	for i, one := range list {
		out[i] = coerce(one, p.Items, depth+1)
	}
	return out
}

func asObject(value any, p *jsonschema.Schema, depth int) any {
	if text, ok := value.(string); ok {
		if given, read := object(text); read {
			value = given
		}
	}
	given, ok := value.(map[string]any)
	if !ok {
		return value
	}
	for name, one := range given {
		given[name] = coerce(one, p.Properties[name], depth+1)
	}
	return given
}
