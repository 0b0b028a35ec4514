package recall

import "testing"

func TestEmbeddedQuestion(t *testing.T) {
	for _, c := range []struct{ asker, question, want string }{
		{"Ann", "Where did I put my keys?", "Ann: Where did I put my keys?"},
		{"Ann", "Where does Bo live?", "Where does Bo live?"},
		{"Ann", "Wo habe ich meinen Schlüssel?", "Ann: Wo habe ich meinen Schlüssel?"},
		{"", "Where did I put my keys?", "Where did I put my keys?"},
	} {
		if got := EmbeddedQuestion(c.asker, c.question); got != c.want {
			t.Errorf("%q asks %q: %q, want %q", c.asker, c.question, got, c.want)
		}
	}
}
