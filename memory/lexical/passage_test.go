package lexical

import "testing"

func TestPieceEnd(t *testing.T) {
	for _, c := range []struct{ text, first string }{
		{"One. Two", "One."},
		{"v1.5 is out! Yes", "v1.5 is out!"},
		{"a line\nanother", "a line\n"},
		{"Why?\nBecause", "Why?"},
		{"no end", "no end"},
		{"the end.", "the end."},
		{"猫がいる。犬もいる", "猫がいる。"},
		{"本当？ はい", "本当？"},
		{"すごい！次", "すごい！"},
		{"ｆｕｌｌ width", "ｆｕｌｌ width"},
	} {
		if got := c.text[:pieceEnd(c.text)]; got != c.first {
			t.Errorf("%q: got %q, want %q", c.text, got, c.first)
		}
	}
}
