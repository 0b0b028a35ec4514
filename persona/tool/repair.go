package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kaptinlin/jsonrepair"

	"familiar/internal/spelling"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// longestArguments is how long the arguments of a call may be, in bytes.
const longestArguments = 64 << 10

// findEntry returns the tool that a name means: itself, in other letters, as an alias, as the beginning of one tool's name, or
// misspelled. nil if none or several come into question.
func findEntry(all []*entry, name string) *entry {
	name = plainName(name)
	if name == "" {
		return nil
	}
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.spec.Name
		if plainName(e.spec.Name) == name {
			return e
		}
	}
	for _, e := range all {
		if slices.ContainsFunc(e.spec.Aliases, func(a string) bool { return plainName(a) == name }) {
			return e
		}
	}
	var begins []*entry
	for _, e := range all {
		if n := plainName(e.spec.Name); len(name) >= shortestPrefix && (strings.HasPrefix(n, name) || strings.HasPrefix(name, n)) {
			begins = append(begins, e)
		}
	}
	if len(begins) == 1 {
		return begins[0]
	}
	if near := spelling.Nearest(name, names); near != "" && len(begins) == 0 {
		return all[slices.Index(names, near)]
	}
	return nil
}

// named returns a call that was written without a name, or found in a text that is no JSON, as its text names it.
func named(c prompts.Call) prompts.Call {
	if strings.TrimSpace(c.Name) != "" {
		return c
	}
	given, err := parseArguments(c.Arguments)
	if err != nil {
		return c
	}
	if found := answer.CallsIn(given); len(found) == 1 {
		c.Name, c.Arguments = found[0].Name, found[0].Arguments
	}
	return c
}

// shortestPrefix is how many letters of a name must be there to mean the whole.
const shortestPrefix = 4

// plainName returns a name without the differences that models make: letters, separators, and what stands before the last dot.
func plainName(name string) string {
	name = strings.ToLower(strings.Trim(name, " \t\n\"'`()"))
	name = name[strings.LastIndexAny(name, ".:/")+1:]
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(name)
}

// errNoObject reports arguments that are no JSON object, however they are read.
var errNoObject = errors.New("no JSON object")

// parseArguments reads arguments as models write them: in fences, with text around, with the mistakes that can be repaired.
func parseArguments(text string) (map[string]any, error) {
	if len(text) > longestArguments {
		return nil, fmt.Errorf("they are longer than %d bytes", longestArguments)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return map[string]any{}, nil
	}
	if given, ok := object(text); ok {
		return given, nil
	}
	from := strings.IndexByte(text, '{')
	if from < 0 {
		return nil, errNoObject
	}
	candidates := []string{text[from:]}
	if until := strings.LastIndexByte(text, '}'); until > from {
		candidates = []string{text[from : until+1], text[from:]}
	}
	for _, candidate := range candidates {
		repaired, err := repair(candidate)
		if err != nil {
			continue
		}
		if given, ok := object(repaired); ok {
			return given, nil
		}
	}
	return nil, errNoObject
}

// repair is jsonrepair.Repair; a panic of it is an error.
func repair(text string) (repaired string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errNoObject
		}
	}()
	return jsonrepair.Repair(text)
}

// object reads a JSON object, also one inside a JSON string. Numbers keep their digits.
func object(text string) (given map[string]any, ok bool) {
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil {
		text = inner
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&given) != nil || given == nil || d.More() {
		return nil, false
	}
	return given, true
}
