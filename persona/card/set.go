package card

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"familiar/internal/spelling"
	"familiar/persona/character"
)

// settable are the fields that SetField sets: how their values are written.
var settable = map[string]string{
	"name": textKind, "nickname": textKind, "description": textKind, "personality": textKind, "scenario": textKind, "voice": textKind,
	"example_dialogue": textKind, "system_prompt": textKind, "post_history_instructions": textKind,
	"timezone": textKind, "language": textKind, "rating": textKind, "world_facts": "true or false",
	"values": listKind, "boundaries": listKind, "greetings": listKind, "interests": listKind, "examples": listKind,
	"first_messages": listKind, "group_greetings": listKind,
	"traits": numbersKind, "sectors": numbersKind, "fading": numbersKind, "author_note": keysKind,
}

// The kinds of values.
const (
	textKind, listKind    = "text", "a list"
	numbersKind, keysKind = "numbers by name", "keys with values"
)

// SetField returns the text of a persona file with another value of one field, and leaves all other lines and comments as
// they are. Values of text fields are taken as they are, others as YAML: values='[patience, wit]'. One trait or sector is
// traits.zeal=0.7; an empty value removes it. file names the file in errors. It does not check whether the persona is valid.
func SetField(file string, text []byte, field, value string) ([]byte, error) {
	field, part, nested := strings.Cut(field, ".")
	kind, known := settable[field]
	switch {
	case !known:
		return nil, unknownField(field)
	case nested && (kind != numbersKind || part == ""):
		return nil, fmt.Errorf("%s has no parts: set %s itself", field, field)
	}
	doc, err := readDocument(file, text)
	if err != nil {
		return nil, err
	}
	set, err := fieldValue(doc.inOrder[field], kind, field, part, value)
	if err != nil {
		return nil, err
	}
	if part != "" && set != nil {
		if after := replacePart(string(text), field, part, value); onlyChanged(doc.values, after, field, set) {
			return []byte(after), nil
		}
	}
	return doc.set(field, set)
}

// SetValue is SetField for a value that is no text of an operator: a string, a truth, a list of strings or of examples, a note or
// numbers by name (yaml.MapSlice). nil removes the field.
func SetValue(file string, text []byte, field string, value any) ([]byte, error) {
	if settable[field] == "" {
		return nil, unknownField(field)
	}
	doc, err := readDocument(file, text)
	if err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case []Example:
		var list []yaml.MapSlice
		for _, e := range v {
			list = append(list, yaml.MapSlice{{Key: "person", Value: e.Person}, {Key: "persona", Value: e.Persona}})
		}
		value = list
	case character.Note:
		value = yaml.MapSlice{{Key: "text", Value: v.Text}, {Key: "depth", Value: v.Depth}, {Key: "role", Value: v.Role}}
	}
	return doc.set(field, value)
}

// document is a persona file as YAML reads it.
type document struct {
	file, text string
	values     map[string]any
	inOrder    map[any]any
}

func readDocument(file string, text []byte) (document, error) {
	d := document{file: file, text: string(text)}
	var inOrder yaml.MapSlice
	if err := errors.Join(yaml.Unmarshal(text, &d.values), yaml.UnmarshalWithOptions(text, &inOrder, yaml.UseOrderedMap())); err != nil {
		return d, fmt.Errorf("%s is no valid YAML: mend it with `familiar persona edit`: %w", file, err)
	}
	d.inOrder = inOrder.ToMap()
	return d, nil
}

// set returns the text with another value of a field. Of the ways to write it, the first is taken that reads as it should.
func (d document) set(field string, value any) ([]byte, error) {
	for _, write := range []func(string, any) (string, error){d.prose, asYAML, asJSON} {
		entry := ""
		if value != nil {
			var err error
			if entry, err = write(field, value); err != nil {
				return nil, fmt.Errorf("write the value of %s: %w", field, err)
			}
		}
		if after := replaceEntry(d.text, field, entry); (entry != "" || value == nil) && onlyChanged(d.values, after, field, value) {
			return []byte(after), nil
		}
	}
	return nil, fmt.Errorf("%s is written in a way that `persona set` cannot change: use `familiar persona edit`", d.file)
}

// longLine is how long a line of prose may be before it is written in several.
const longLine = 100

// prose writes a text in lines of a readable length, "" for what needs none: only few lines change when a word does.
func (d document) prose(field string, value any) (string, error) {
	text, _ := value.(string)
	lines, start, _ := findEntry(d.text, field)
	folded := start >= 0 && strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(lines[start], field+":")), ">")
	style, gap := ">-", ""
	switch several := strings.Contains(text, "\n"); {
	case several && !folded:
		style = "|-"
	case len(text) <= longLine:
		return "", nil
	}
	out := field + ": " + style + "\n"
	for line := range strings.SplitSeq(text, "\n") {
		out += gap
		if style == ">-" {
			gap = "\n" // a single end of line is a space there
			line = wrapped(line)
		}
		if line != "" {
			out += "  " + strings.ReplaceAll(line, "\n", "\n  ")
		}
		out += "\n"
	}
	return out, nil
}

// wrapped breaks a line of prose into several.
func wrapped(line string) string {
	var out strings.Builder
	length := 0
	for word := range strings.SplitSeq(line, " ") {
		switch {
		case out.Len() == 0:
		case length+1+len(word) > longLine:
			out.WriteByte('\n')
			length = 0
		default:
			out.WriteByte(' ')
			length++
		}
		out.WriteString(word)
		length += len(word)
	}
	return out.String()
}

func asYAML(field string, value any) (string, error) {
	made, err := yaml.MarshalWithOptions(yaml.MapSlice{{Key: field, Value: value}}, yaml.IndentSequence(true), yaml.UseLiteralStyleIfMultiline(true))
	return string(made), err
}

// asJSON writes a value as JSON, which YAML reads whatever its texts hold.
func asJSON(field string, value any) (string, error) {
	var made bytes.Buffer
	e := json.NewEncoder(&made)
	e.SetEscapeHTML(false)
	err := e.Encode(plain(value))
	return field + ": " + made.String(), err
}

// plain returns a value in the types that JSON is read into, whatever types it has: 2 and 2.0 are the same number.
func plain(value any) any {
	switch v := value.(type) {
	case []string:
		all := make([]any, len(v))
		for i := range v {
			all[i] = v[i]
		}
		return all
	case []yaml.MapSlice:
		all := make([]any, len(v))
		for i := range v {
			all[i] = plain(v[i])
		}
		return all
	case yaml.MapSlice:
		all := make(map[string]any, len(v))
		for _, item := range v {
			all[fmt.Sprint(item.Key)] = plain(item.Value)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = plain(v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for key := range v {
			all[key] = plain(v[key])
		}
		return all
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return value
}

func unknownField(field string) error {
	var known []string
	for name := range settable {
		known = append(known, name)
	}
	slices.Sort(known)
	if near := spelling.Nearest(field, known); near != "" {
		return fmt.Errorf("%q is no field: did you mean %q?", field, near)
	}
	return fmt.Errorf("%q is no field: take one of %s; change others with `familiar persona edit`", field, strings.Join(known, ", "))
}

// fieldValue returns the new value of a field, nil to remove it.
func fieldValue(before any, kind, field, part, value string) (any, error) {
	if part != "" {
		return withPart(before, field, part, value)
	}
	if kind == textKind {
		return value, nil
	}
	if value == "" {
		return nil, nil
	}
	var set any
	var ordered yaml.MapSlice
	if err := yaml.Unmarshal([]byte(value), &set); err != nil {
		return nil, fmt.Errorf("%s takes %s: %w", field, kind, err)
	}
	if (kind == numbersKind || kind == keysKind) && yaml.Unmarshal([]byte(value), &ordered) == nil {
		return ordered, nil
	}
	return set, nil
}

// withPart returns the map of a field with another value of one part.
func withPart(before any, field, part, value string) (any, error) {
	parts, _ := before.(yaml.MapSlice)
	if list, ok := before.([]any); ok { // "- name: number" entries
		for _, one := range list {
			entry, _ := one.(yaml.MapSlice)
			parts = append(parts, entry...)
		}
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p yaml.MapItem) bool { return value == "" && p.Key == part })
	if value != "" {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			return nil, fmt.Errorf("%s.%s takes a number, not %q", field, part, value)
		}
		at := slices.IndexFunc(parts, func(p yaml.MapItem) bool { return p.Key == part })
		if at < 0 {
			at, parts = len(parts), append(parts, yaml.MapItem{Key: part})
		}
		parts[at].Value = number
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return parts, nil
}

// trailing matches a comment at the end of a line.
var trailing = regexp.MustCompile(`\s+#.*$`)

// replaceEntry replaces the lines of a top-level field, or adds them at the end. A comment behind a value of one line stays.
func replaceEntry(text, field, entry string) string {
	lines, start, end := findEntry(text, field)
	if start < 0 {
		return strings.Join(lines, "") + entry
	}
	if comment := trailing.FindString(strings.TrimRight(lines[start], "\n")); comment != "" && end == start+1 && strings.Count(entry, "\n") == 1 {
		entry = strings.TrimRight(entry, "\n") + comment + "\n"
	}
	return strings.Join(lines[:start], "") + entry + strings.Join(lines[end:], "")
}

// replacePart replaces, adds or removes the line of one part of a field whose parts have a line each.
func replacePart(text, field, part, value string) string {
	lines, start, end := findEntry(text, field)
	if start < 0 || end == start+1 {
		return text
	}
	own := regexp.MustCompile(`^(\s+["']?` + regexp.QuoteMeta(part) + `["']?\s*:\s*)[^\s#]+(.*)$`)
	at := start + 1 + slices.IndexFunc(lines[start+1:end], func(l string) bool { return own.MatchString(strings.TrimRight(l, "\n")) })
	switch {
	case at > start && value == "":
		lines = slices.Delete(lines, at, at+1)
	case at > start:
		m := own.FindStringSubmatch(strings.TrimRight(lines[at], "\n"))
		lines[at] = m[1] + value + m[2] + "\n"
	default:
		last := lines[end-1]
		indent := last[:len(last)-len(strings.TrimLeft(last, " "))]
		lines = slices.Insert(lines, end, indent+plainKey(part)+": "+value+"\n")
	}
	return strings.Join(lines, "")
}

// plainKey returns a name as a key, in quotes unless it is a word or several.
func plainKey(name string) string {
	if wordKey.MatchString(name) && !slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, name) {
		return name
	}
	return strconv.Quote(name)
}

var wordKey = regexp.MustCompile(`^[a-z]+([ -][a-z]+)*$`)

// findEntry returns the lines of a text and which of them are a top-level field's, -1 if it has none.
func findEntry(text, field string) (lines []string, start, end int) {
	lines = strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += "\n"
	}
	start = slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, field+":") })
	if start < 0 {
		return lines, -1, -1
	}
	end = start + 1
	for end < len(lines) && !beginsEntry(lines[end]) {
		end++
	}
	for end > start+1 && !strings.HasPrefix(lines[end-1], " ") && !strings.HasPrefix(lines[end-1], "-") {
		end-- // blank lines and comments before the next field belong to that
	}
	return lines, start, end
}

// beginsEntry reports whether a line begins a top-level field.
func beginsEntry(line string) bool {
	return strings.ContainsAny(line[:1], "abcdefghijklmnopqrstuvwxyz_\"'{")
}

// onlyChanged reports whether after differs from before in nothing but the field, which is set.
func onlyChanged(before map[string]any, after, field string, set any) bool {
	var now map[string]any
	if err := yaml.Unmarshal([]byte(after), &now); err != nil {
		return false
	}
	same := reflect.DeepEqual(plain(now[field]), plain(set))
	rest := map[string]any{}
	for k, v := range before {
		rest[k] = v
	}
	delete(rest, field)
	delete(now, field)
	return same && reflect.DeepEqual(now, rest)
}
