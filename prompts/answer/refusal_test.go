package answer_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"familiar/prompts/answer"
)

// lines returns the lines of a file of testdata without comments.
func lines(t testing.TB, file string) (found []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			found = append(found, line)
		}
	}
	return found
}

// TestO4RefusalsAreToldFromWords reads whole answers in seven languages, and streams them byte by byte.
func TestO4RefusalsAreToldFromWords(t *testing.T) {
	for _, text := range lines(t, "refusals.txt") {
		if got, err := answer.Clean(text, mira()); !errors.Is(err, answer.ErrRefused) {
			t.Errorf("%q is said as %q, %v", text, got, err)
		}
		for _, shown := range stream(text, mira(), 1) {
			// A clause before the refusal may be shown.
			if _, err := answer.Clean(shown, mira()); len([]rune(shown)) > 9 && (err != nil || len(shown) > 70) {
				t.Errorf("%q is shown as %q", text, shown)
				break
			}
		}
	}
	for _, text := range lines(t, "innocent.txt") {
		o := mira()
		text, o.Machine = strings.CutPrefix(text, "AI | ")
		if got, err := answer.Clean(text, o); err != nil || got != text {
			t.Errorf("%q is said as %q, %v", text, got, err)
		}
	}
}

func TestIsMachine(t *testing.T) {
	for text, want := range map[string]bool{
		"Keeps a lighthouse and says little.": false, "An AI that lives in an old radio.": true, "Maid of an inn": false,
		"A robot gardener.": true, "Eine KI mit Humor.": true, "Una inteligencia artificial amable.": true, "AIによるアシスタント、人工知能です": true,
	} {
		if got := answer.IsMachine(text); got != want {
			t.Errorf("IsMachine(%q) = %v", text, got)
		}
	}
}
