package card

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"familiar/internal/spelling"
)

// settable are the fields that SetField sets: how their values are written.
var settable = map[string]string{
	"name": "text", "description": "text", "voice": "text", "timezone": "text", "language": "text", "world_facts": "true or false",
	"values": "a list", "boundaries": "a list", "greetings": "a list", "traits": "numbers by name", "sectors": "numbers by name", "fading": "numbers by name",
}

// SetField returns the text of a persona file with another value of one field, and leaves all other lines and comments as
// they are. Values of text fields are taken as they are, others as YAML: values='[patience, wit]'. One trait or sector is
// traits.zeal=0.7; an empty value removes it. file names the file in errors. It does not check whether the persona is valid.
func SetField(file string, text []byte, field, value string) ([]byte, error) {
	field, part, nested := strings.Cut(field, ".")
	kind, known := settable[field]
	switch {
	case !known:
		return nil, unknownField(field)
	case nested && (kind != "numbers by name" || part == ""):
		return nil, fmt.Errorf("%s has no parts: set %s itself", field, field)
	}
	var before map[string]any
	var inOrder yaml.MapSlice
	if err := errors.Join(yaml.Unmarshal(text, &before), yaml.UnmarshalWithOptions(text, &inOrder, yaml.UseOrderedMap())); err != nil {
		return nil, fmt.Errorf("%s is no valid YAML: mend it with `familiar persona edit`: %w", file, err)
	}
	set, err := fieldValue(inOrder.ToMap()[field], kind, field, part, value)
	if err != nil {
		return nil, err
	}
	entry := ""
	if set != nil {
		made, err := yaml.MarshalWithOptions(yaml.MapSlice{{Key: field, Value: set}}, yaml.IndentSequence(true))
		if err != nil {
			return nil, fmt.Errorf("write the value of %s: %w", field, err)
		}
		entry = string(made)
	}
	if part != "" {
		if after := replacePart(string(text), field, part, value); onlyChanged(before, after, field, set) {
			return []byte(after), nil
		}
	}
	after := replaceEntry(string(text), field, entry)
	if !onlyChanged(before, after, field, set) {
		return nil, fmt.Errorf("%s is written in a way that `persona set` cannot change: use `familiar persona edit`", file)
	}
	return []byte(after), nil
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
	if kind == "text" {
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
	if kind == "numbers by name" && yaml.Unmarshal([]byte(value), &ordered) == nil {
		return ordered, nil
	}
	return set, nil
}

// withPart returns the map of a field with another value of one part.
func withPart(before any, field, part, value string) (any, error) {
	parts, _ := before.(yaml.MapSlice)
	parts = slices.DeleteFunc(slices.Clone(parts), func(p yaml.MapItem) bool { return value == "" && p.Key == part })
	if value != "" {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
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
	var now, want map[string]any
	if err := yaml.Unmarshal([]byte(after), &now); err != nil {
		return false
	}
	made, err := yaml.Marshal(map[string]any{field: set})
	if err != nil || yaml.Unmarshal(made, &want) != nil {
		return false
	}
	same := reflect.DeepEqual(now[field], want[field])
	rest := map[string]any{}
	for k, v := range before {
		rest[k] = v
	}
	delete(rest, field)
	delete(now, field)
	return same && reflect.DeepEqual(now, rest)
}
