package card

import (
	"strings"
	"testing"

	"familiar/persona/character"
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

func TestAPartOfAListKeepsTheOthers(t *testing.T) {
	text := strings.Replace(commented, "  warm: 0.8 # very\n  wry: 0.6\n", "  - warm: 0.8\n  - wry: 0.6\n", 1)
	got, err := SetField("nell.yaml", []byte(text), "traits.warm", "0.3")
	if want := strings.Replace(text, "  - warm: 0.8\n  - wry: 0.6\n", "  warm: 0.3\n  wry: 0.6\n", 1); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestSetValueKeepsEverythingElse(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("She keeps a bar and listens to whoever comes in. ", 5))
	for _, c := range []struct {
		field    string
		value    any
		old, now string
	}{
		{"description", long, "  She keeps a bar,\n  and listens.\n", "  She keeps a bar and listens to whoever comes in. She keeps a bar and listens to whoever comes in.\n" +
			"  She keeps a bar and listens to whoever comes in. She keeps a bar and listens to whoever comes in.\n  She keeps a bar and listens to whoever comes in.\n"},
		{"voice", "One.\n\nTwo.", "voice: Short.\n", "voice: |-\n  One.\n\n  Two.\n"},
		{"voice", "\u0007 \ttab\u2028 ", "voice: Short.\n", "voice: \"\\a \\ttab\\u2028 \"\n"},
		{"values", []string{"wit", "a: b"}, "values: [patience]\n", "values:\n  - wit\n  - \"a: b\"\n"},
		{"examples", []Example{{"Hi", "- Hello:\nyou"}}, "voice: Short.\n", "voice: Short.\nexamples:\n  - person: Hi\n    persona: |-\n      - Hello:\n      you\n"},
		{"author_note", character.Note{Text: "Soon.", Depth: 2, Role: "user"}, "voice: Short.\n", "voice: Short.\nauthor_note:\n  text: Soon.\n  depth: 2\n  role: user\n"},
		{"voice", nil, "\n# How she talks.\nvoice: Short.\n", "\n# How she talks.\n"},
		{"world_facts", false, "voice: Short.\n", "voice: Short.\nworld_facts: false\n"},
	} {
		got, err := SetValue("nell.yaml", []byte(commented), c.field, c.value)
		if want := strings.Replace(commented, c.old, c.now, 1); err != nil || string(got) != want {
			t.Errorf("%s=%v: %v\ngot\n%s\nwant\n%s", c.field, c.value, err, got, want)
		}
	}
}

func FuzzSetValue(f *testing.F) {
	f.Add("a: b\n - c")
	f.Add("<script>alert(1)</script>\r\n\x00 &amp; 'x' \"y\" #z")
	f.Add(strings.Repeat("word  ", 50))
	f.Fuzz(func(t *testing.T, value string) {
		value = strings.ToValidUTF8(value, "")
		for field, set := range map[string]any{"voice": value, "values": []string{value, "x"}, "examples": []Example{{value, value}}} {
			after, err := SetValue("a.yaml", []byte(commented), field, set)
			if err != nil {
				t.Fatalf("%s=%q: %v", field, value, err)
			}
			if c, err := ParseCard("a.yaml", after); err == nil && (c.Name != "Nell" || field == "voice" && c.Voice != strings.TrimSpace(value)) {
				t.Errorf("%s=%q reads as %+v", field, value, c)
			}
		}
	})
}

func TestSetFieldProblems(t *testing.T) {
	for _, c := range []struct{ text, field, value, want string }{
		{commented, "trait", "x", `did you mean "traits"?`},
		{commented, "picture", "x", "take one of"},
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
