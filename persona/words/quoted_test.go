package words_test

import (
	"testing"

	"familiar/persona/words"
)

func TestQuotedLinesAreTakenOutOfASummary(t *testing.T) {
	faro, really := words.QuotedLine("Ana", "I'm off to Faro. See you!"), words.QuotedLine("Rui", "really?")
	for summary, want := range map[string]string{
		"They talked of boats. " + faro + " " + really: "They talked of boats.",
		faro + " " + really:                            "",
		"She said: it is late.":                        "She said: it is late.",
		"Ana told of “the old house”. " + faro:         "Ana told of “the old house”.",
	} {
		if got := words.WithoutQuotedLines(summary); got != want {
			t.Errorf("%q becomes %q, want %q", summary, got, want)
		}
	}
}
