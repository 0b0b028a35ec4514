package card

import (
	"strings"
	"testing"
)

const commented = `# The keeper of a bar.
name: Nell # how she is called
description: >-
  She keeps a bar,
  and listens.

# Character.
traits:
  warm: 0.8 # very
  wry: 0.6
values: [patience]

# How she talks.
voice: Short.
`

func TestSetFieldKeepsEverythingElse(t *testing.T) {
	for _, c := range []struct{ field, value, old, now string }{
		{"name", "Nora", "name: Nell #", "name: Nora #"},
		{"voice", "Long: and \"winding\".", "voice: Short.", "voice: \"Long: and \\\"winding\\\".\""},
		{"description", "One line.", "description: >-\n  She keeps a bar,\n  and listens.\n", "description: One line.\n"},
		{"traits.warm", "0.3", "warm: 0.8 # very", "warm: 0.3 # very"},
		{"traits.new one", "0.1", "  wry: 0.6\n", "  wry: 0.6\n  new one: 0.1\n"},
		{"traits.wry", "", "  wry: 0.6\n", ""},
		{"values", "[wit, 'a: b']", "values: [patience]\n", "values:\n  - wit\n  - \"a: b\"\n"},
		{"values", "", "values: [patience]\n", ""},
		{"world_facts", "false", "voice: Short.\n", "voice: Short.\nworld_facts: false\n"},
		{"sectors.semantic", "2", "voice: Short.\n", "voice: Short.\nsectors:\n  semantic: 2.0\n"},
	} {
		got, err := SetField("nell.yaml", []byte(commented), c.field, c.value)
		if want := strings.Replace(commented, c.old, c.now, 1); err != nil || string(got) != want {
			t.Errorf("%s=%s: %v\ngot\n%s\nwant\n%s", c.field, c.value, err, got, want)
		}
	}
}

func TestSetFieldProblems(t *testing.T) {
	for _, c := range []struct{ text, field, value, want string }{
		{commented, "trait", "x", `did you mean "traits"?`},
		{commented, "examples", "x", "take one of"},
		{commented, "name.first", "x", "has no parts"},
		{commented, "traits.warm", "very", "takes a number"},
		{commented, "values", "[a", "takes a list"},
		{"name: [", "name", "x", "persona edit"},
		{"{name: Nell, description: d}\n", "name", "Nora", "cannot change"},
	} {
		_, err := SetField("nell.yaml", []byte(c.text), c.field, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: got %v, want %s", c.field, c.value, err, c.want)
		}
	}
}

func FuzzSetField(f *testing.F) {
	f.Add(commented, "name", "a: b")
	f.Add(commented, "traits.warm", "1")
	f.Add("name: |\n  a\n # b\nvoice: x", "voice", "- x\n#y")
	f.Fuzz(func(t *testing.T, text, field, value string) {
		after, err := SetField("a.yaml", []byte(text), field, value)
		if err != nil {
			return
		}
		again, err := SetField("a.yaml", after, field, value)
		if err != nil || string(again) != string(after) {
			t.Errorf("set twice: %v\n%q\n%q", err, after, again)
		}
	})
}
