package text

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, parts string }{
		{"", ""},
		{"One. Two! Is 3.5 three? Yes", "One.| Two!| Is 3.5 three?| Yes"},
		{"It is Dr. Nwosu now. She is new.", "It is Dr. Nwosu now.| She is new."},
		{"Jule heiratet am 23. Mai. Papa kommt.", "Jule heiratet am 23. Mai.| Papa kommt."},
		{"Den 17. maj kommer hun.", "Den 17. maj kommer hun."},
		{"I am 23. May I come in?", "I am 23.| May I come in?"},
		{"They won 21. Then we left.", "They won 21.| Then we left."},
		{"Wir treffen (Dr. Maier) um 5. Danach essen.", "Wir treffen (Dr. Maier) um 5.| Danach essen."},
		{"3.5 km. ok", "3.5 km.| ok"},
		{". . .", ".| .| ."},
	} {
		if got := Sentences(c.text); !slices.Equal(got, strings.Split(c.parts, "|")) {
			t.Errorf("%q is split into %q, want %q", c.text, got, c.parts)
		}
	}
}
