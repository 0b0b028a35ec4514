package command

import (
	"slices"
	"testing"
)

func TestS16CodesInAText(t *testing.T) {
	for text, want := range map[string][]string{
		"":                     nil,
		"my code: 5QSV-6CES":   {"5QSV-6CES"},
		"**5qsv6ces**":         {"5qsv6ces"},
		"5QSV 6CES":            {"5QSV 6CES"},
		"5QSV - 6CES.":         {"5QSV - 6CES"},
		"take 5QSV 6CES":       {"take 5QSV", "5QSV 6CES"},
		"5QSV6CESX, 5QSV":      nil,
		"a word of nine chars": nil,
	} {
		if got := CodesIn(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
