package model

import (
	"testing"
)

func TestStripInvisible(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "Rex, née Ünal\n\tsays: 猫", "Rex, née Ünal\n\tsays: 猫"},
		{"zero width within a word", "R\u200bex and Mi\u2060lo", "Rex and Milo"},
		{"a joiner between letters", "R\u200dex", "Rex"},
		{"joined emoji", "👩\u200d🚀", "👩\u200d🚀"},
		{"colours", "\x1b[1;31mRed\x1b[0m", "Red"},
		{"a bare escape", "a\x1bb\x00c", "abc"},
		{"turned round", "\u202eabc\u202c", "abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := StripInvisible(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
