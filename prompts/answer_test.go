package prompts_test

import (
	"errors"
	"testing"

	"familiar/prompts"
)

func TestParseExtract(t *testing.T) {
	good := `{"claims":[{"message":2,"subject":"","kind":"fact","relation":"lives_in","value":"Lagos","quote":"moved to Lagos"}]}`
	for _, answer := range []string{good, "```json\n" + good + "\n```", " \n" + good, good + good, good[len(`{"claims":`) : len(good)-1]} {
		claims, err := prompts.ParseExtract(answer)
		if err != nil || len(claims) != 1 || claims[0].Value != "Lagos" || claims[0].Message != 2 {
			t.Errorf("ParseExtract(%q) = %+v, %v", answer, claims, err)
		}
	}
	for _, answer := range []string{
		"", "no", "{}", "null", `{"claims":null}`, good[:len(good)-3], `{"claims":[{"message":"two"}]}`,
	} {
		if claims, err := prompts.ParseExtract(answer); !errors.Is(err, prompts.ErrInvalidExtraction) || claims != nil {
			t.Errorf("ParseExtract(%q) = %+v, %v, want ErrNotFiled", answer, claims, err)
		}
	}
	for _, none := range []string{`{"claims":[]}`, "[]"} {
		if claims, err := prompts.ParseExtract(none); err != nil || len(claims) != 0 {
			t.Errorf("an empty list is an answer, got %v, %v", claims, err)
		}
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
