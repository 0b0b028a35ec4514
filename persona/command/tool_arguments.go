package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// longestArgument is how much of one argument a question shows, in characters.
const longestArgument = 300

// arguments shows the arguments of a call to the person who is asked about it: a line for each, in the order of their names, with
// the value as JSON, in which quotation marks, line breaks and characters that cannot be seen are escaped. So no value looks like
// another line. Of a long value the beginning is shown, with its length.
func (t *tongue) arguments(input string) string {
	d := json.NewDecoder(strings.NewReader(input))
	d.UseNumber()
	var given map[string]any
	if err := d.Decode(&given); err != nil {
		return t.argument(input)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		shown := name
		if !plainArgument.MatchString(name) {
			shown = t.argument(name)
		}
		lines = append(lines, shown+": "+t.argument(given[name]))
	}
	return strings.Join(lines, "\n")
}

var (
	// plainArgument is a name that is shown without quotation marks.
	plainArgument = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	// wholeEscapes is the beginning of a JSON text that ends with no part of an escape.
	wholeEscapes = regexp.MustCompile(`^(?:[^\\]|\\u[0-9a-f]{4}|\\[^u])*`)
)

// argument shows one value.
func (t *tongue) argument(value any) string {
	shown := visibleJSON(value)
	length := utf8.RuneCountInString(shown)
	if length <= longestArgument {
		return shown
	}
	if text, ok := value.(string); ok {
		length = utf8.RuneCountInString(text)
	}
	start := wholeEscapes.FindString(string([]rune(shown)[:longestArgument]))
	return t.say("tool.long", "start", start, "n", length)
}

// visibleJSON encodes a value that was read from JSON as JSON in which each character can be seen: control characters, line breaks,
// spaces other than " ", and marks without a width or of a direction are escaped.
func visibleJSON(value any) string {
	var encoded bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Sprintf("%+q", fmt.Sprint(value)) // no value that was read from JSON
	}
	var b strings.Builder
	for _, r := range strings.TrimSuffix(encoded.String(), "\n") {
		if unicode.IsPrint(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
