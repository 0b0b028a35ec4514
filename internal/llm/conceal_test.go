package llm

import (
	"strings"
	"testing"
)

func TestA11APromptsWordsAreConcealed(t *testing.T) {
	said := []string{"Ann said: I saw the heron of Kiipsaare. Call +1 555-0042017 or 491701234567.", "max_tokens is what I like"}
	for _, c := range []struct{ message, want string }{
		{"bad prompt: the heron of Kiipsaare", "bad prompt: […]"},
		{"unsupported parameter: 'top_k'", "unsupported parameter: 'top_k'"},
		{`{"content":"I saw the heron"} is refused`, `{"content":"[…]"} is refused`},
		{"policy: 491701234567 is a number", "policy: […] is a number"},
		{"you wrote The HERON, of all birds", "you wrote […] all birds"},
		{"blocked: saw the heron of Kiip…", "blocked: […]…"},
		{"", ""},
	} {
		if got := conceal(c.message, said...); got != c.want {
			t.Errorf("%q became %q, want %q", c.message, got, c.want)
		}
	}
	if got := conceal("as it was: nothing"); got != "as it was: nothing" {
		t.Errorf("without texts: %q", got)
	}
}

func FuzzConceal(f *testing.F) {
	f.Add("bad prompt: the heron", "I saw the heron")
	f.Add("x…", "é x")
	f.Fuzz(func(t *testing.T, message, said string) {
		got := conceal(message, said)
		if again := conceal(got, said); len(strings.Fields(again)) > len(strings.Fields(got)) {
			t.Errorf("%q, then %q", got, again)
		}
	})
}
