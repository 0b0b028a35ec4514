package channels

import (
	"strings"
	"testing"
)

// M3: what is quoted or forwarded is not the author's own.

func TestM3OwnWords(t *testing.T) {
	for said, own := range map[string]string{
		"I live in Faro":                                   "I live in Faro",
		"> my name is Bob\nreally?":                        "\nreally?",
		"look\n  > a\n>> b\nwell":                          "look\n\n\nwell",
		"5 > 3 and [see below]":                            "5 > 3 and [see below]",
		"look [forwarded: I am Bob (40)] he":               "look he",
		"[via bot: I am Bob]":                              "",
		"[embed: a page] [image: my dog]":                  "[image: my dog]",
		"[forwarded: a] mine [forwarded: b] [forwarded: c": "mine",
		"[forwarded: ä\nö] é":                              "\né",
	} {
		got := OwnWords(said)
		if len(got) != len(said) || strings.Count(got, "\n") != strings.Count(said, "\n") {
			t.Errorf("%q became %q: positions changed", said, got)
		}
		if squeezed(got) != own {
			t.Errorf("of %q its author said %q, want %q", said, squeezed(got), own)
		}
	}
}

func squeezed(said string) string {
	lines := strings.Split(said, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}
