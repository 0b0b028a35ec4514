package prompts_test

import (
	"errors"
	"strings"
	"testing"

	"familiar/prompts"
)

func TestSpoken(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{"The lamp is lit.", "The lamp is lit."},
		{"Mira: The lamp is lit.", "The lamp is lit."},
		{"MIRA : no label", "MIRA : no label"},
		{"Fri 2026-05-01 18:30 | Mira: Aye.", "Aye."},
		{"<data-1>\nFri 2026-05-01 18:30 | you: Aye.\n</data-1>", "Aye."},
		{"<think>what a question</think>\nAye.", "Aye."},
		{"<think>cut off before the end", ""},
		{"Mira:", ""},
		{"  \n", ""},
		{"Miracles happen: sometimes.", "Miracles happen: sometimes."},
	} {
		if got := prompts.CleanReply(c.answer, "data-1", "Mira"); got != c.want {
			t.Errorf("Spoken(%q) = %q, want %q", c.answer, got, c.want)
		}
	}
}

func TestPartialTextShowsNothingThatIsWithdrawn(t *testing.T) {
	for _, answer := range []string{
		"Mira: Aye, <data-1>the lamp</data-1> is lit.",
		"<think>hm</think>Mira: Aye.",
		"A < b, and a <d is no mark.",
		"Fri 2026-05-01 18:30 | Mira: Aye.",
		"<data-1>\nyou: Fri 2026-05-01 18:30 | Aye.\n</data-1>",
		"Assistant: Mira: Aye.",
		"Frida and Miriam were here, as you know.",
	} {
		whole := prompts.CleanReply(answer, "data-1", "Mira")
		for i := range len(answer) + 1 {
			shown := prompts.CleanPartialReply(answer[:i], "data-1", "Mira")
			if !strings.HasPrefix(whole, shown) {
				t.Errorf("after %q it shows %q, which %q does not begin with", answer[:i], shown, whole)
			}
		}
	}
}

func TestParseExtract(t *testing.T) {
	good := `{"claims":[{"message":2,"subject":"","kind":"fact","relation":"lives_in","value":"Lagos","quote":"moved to Lagos"}]}`
	for _, answer := range []string{good, "```json\n" + good + "\n```", " \n" + good} {
		claims, err := prompts.ParseExtract(answer)
		if err != nil || len(claims) != 1 || claims[0].Value != "Lagos" || claims[0].Message != 2 {
			t.Errorf("ParseExtract(%q) = %+v, %v", answer, claims, err)
		}
	}
	for _, answer := range []string{
		"", "no", "{}", "[]", "null", `{"claims":null}`, good[:len(good)-3], good + good, `{"claims":[{"message":"two"}]}`,
	} {
		if claims, err := prompts.ParseExtract(answer); !errors.Is(err, prompts.ErrInvalidExtraction) || claims != nil {
			t.Errorf("ParseExtract(%q) = %+v, %v, want ErrNotFiled", answer, claims, err)
		}
	}
	if claims, err := prompts.ParseExtract(`{"claims":[]}`); err != nil || len(claims) != 0 {
		t.Errorf("an empty list is an answer, got %v, %v", claims, err)
	}
}

func FuzzParseExtract(f *testing.F) {
	f.Add(`{"claims":[{"message":1,"quote":"x"}]}`)
	f.Add("```json\n{}\n```")
	f.Fuzz(func(t *testing.T, answer string) {
		claims, err := prompts.ParseExtract(answer)
		if (err != nil) == (claims != nil) {
			t.Errorf("ParseExtract(%q) gives both or neither of claims and an error: %v, %v", answer, claims, err)
		}
	})
}

func FuzzSpoken(f *testing.F) {
	f.Add("Mira: <data-1>hi")
	f.Add("dadata-1ta-1")
	f.Add("Fri 2026-05-01 18:30 | you: Aye <think>hm</think><think> <data-1>")
	f.Fuzz(func(t *testing.T, answer string) {
		got := prompts.CleanReply(answer, "data-1", "Mira")
		if strings.Contains(got, "data-1") || strings.Contains(got, "<think>") {
			t.Errorf("Spoken(%q) = %q leaks a mark", answer, got)
		}
		valid := strings.ToValidUTF8(answer, "")
		got = prompts.CleanReply(valid, "data-1", "Mira")
		for i := range valid {
			if shown := prompts.CleanPartialReply(valid[:i], "data-1", "Mira"); !strings.HasPrefix(got, shown) {
				t.Errorf("after %q it shows %q, which %q does not begin with", valid[:i], shown, got)
			}
		}
	})
}
