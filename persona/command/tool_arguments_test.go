package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"familiar/channels/markdown"
	"familiar/memory/toolcall"
)

// shownFor returns the lines between the first and the last of a question about a call, as they are shown.
func shownFor(language, input string) []string {
	md := AskForTool(language, "", toolcall.Question{Call: toolcall.Call{Tool: "pay"}, Input: input})
	lines := strings.Split(markdown.Parse(md).Text, "\n")
	return lines[1 : len(lines)-1]
}

func TestS4AQuestionShowsTheCallItself(t *testing.T) {
	for input, want := range map[string]string{
		`{"id":12345678901234567,"sum":0.10}`:   "id: 12345678901234567|sum: 0.10",
		`{"note":"ok\nid: 5","id":7}`:           `id: 7|note: "ok\nid: 5"`,
		`{"note":"ok\u2028id: 5\r\u0085x"}`:     `note: "ok\u2028id: 5\r\u0085x"`,
		`{"a":{"b":["x\ny",null,true,1e400]}}`:  `a: {"b":["x\ny",null,true,1e400]}`,
		`{"to":"ann\u202egpj.exe\u200b\ufeff"}`: `to: "ann\u202egpj.exe\u200b\ufeff"`,
		`{"to":"a\u3164b\udb40\udd00c\u00a0d"}`: `to: "a\u3164b\udb40\udd00c\u00a0d"`,
		`{"id":"5"}`:                            `id: "5"`,
		`{"id":"a \"b\" *c* <d> \\ ü 猫"}`:       `id: "a \"b\" *c* <d> \\ ü 猫"`,
		`{"x: 1\nid":2}`:                        `"x: 1\nid": 2`,
		`not JSON` + "\nid: 5":                  `"not JSON\nid: 5"`,
		`{}`:                                    "",
	} {
		if got := strings.Join(shownFor("en", input), "|"); got != want {
			t.Errorf("%s is shown as\n%s, want\n%s", input, got, want)
		}
	}
}

func TestS4AQuestionSaysHowLongAValueIs(t *testing.T) {
	long := strings.Repeat("x", 1199)
	for language, want := range map[string]string{
		"en": " … (1200 characters in all)", "de": " … (insgesamt 1200 Zeichen)", "fr": " … (1200 caractères en tout)", "es": " … (1200 caracteres en total)",
	} {
		got := shownFor(language, `{"text":"`+long+`\n"}`)
		if wanted := `text: "` + long[:299] + want; len(got) != 1 || got[0] != wanted {
			t.Errorf("%s: %q, want %q", language, got, wanted)
		}
	}
	for n := range 12 { // no escape is cut into parts
		got := shownFor("en", `{"t":"`+strings.Repeat("x", n)+strings.Repeat(`\u202e\\`, 200)+`"}`)[0]
		start, _, _ := strings.Cut(strings.TrimPrefix(got, "t: "), " … ")
		if !json.Valid([]byte(start + `"`)) {
			t.Errorf("%d: the value ends with a part of an escape: %s", n, start)
		}
	}
}

// FuzzArguments shows calls: each argument takes one line, whatever its value is, and the lines say what the call holds.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{"ok\nid: 5", "\u202e\u2066", "\x00\x1b[2K", `"` + "\n" + `id: "5`, "\\n", "… (9 characters in all)", strings.Repeat("\U000e0100", 90)} {
		f.Add("note", seed)
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		input, err := json.Marshal(map[string]any{name: value, "id": 7})
		if err != nil {
			t.Skip()
		}
		var given map[string]any
		if err := json.Unmarshal(input, &given); err != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(given))
		lines := strings.Split(tongueOf("en", "").arguments(string(input)), "\n")
		if len(lines) != len(names) {
			t.Fatalf("%d lines for %d arguments: %q", len(lines), len(names), lines)
		}
		for i, line := range lines {
			if at := strings.IndexFunc(line, func(r rune) bool { return r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) }); at >= 0 {
				t.Errorf("%q shows what cannot be seen", line)
			}
			if names[i] == "id" && name != "id" && line != "id: 7" {
				t.Errorf("id is shown as %q", line)
			}
			if _, shown, found := strings.Cut(line, names[i]+": "); found && len(line) < longestArgument {
				var back any
				if err := json.Unmarshal([]byte(shown), &back); err != nil || fmt.Sprint(back) != fmt.Sprint(given[names[i]]) {
					t.Errorf("%q is shown as %s: %v", given[names[i]], shown, err)
				}
			}
		}
	})
}
