package lexical

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"familiar/internal/text"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Hello, World!", "hello world"},
		{"Café CAFÉ cafe\u0301", "cafe cafe cafe"},
		{"ﬁne print", "fine print"},
		{"Straße", "strasse"},
		{"room 12b, 3.5", "room 12b 3 5"},
		{"don't", "don t"},
		{"昨日は寿司", "昨日 日は は寿 寿司"},
		{"犬", "犬"},
		{"I love 寿司!", "i love 寿司"},
		{"हिन्दी भाषा", "हिन्दी भाषा"},
		{"co\u00adoperate zero\u200dwidth", "cooperate zerowidth"},
		{"", ""},
		{"?!… 🎉", ""},
		{"\xff\xfebroken", "broken"},
	} {
		if got := strings.Join(slices.Collect(Words(c.text)), " "); got != c.want {
			t.Errorf("Words(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTermsDropStopWordsAndInflection(t *testing.T) {
	got := strings.Join(English.Terms("What were the painters painting when they painted it?"), " ")
	if want := "painter paint paint"; got != want {
		t.Errorf("Terms = %q, want %q", got, want)
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{
		"Hello", "昨日は寿司を食べた", "e\u0301\u0301", "\xff\x00", strings.Repeat("x", 100), "한국어 텍스트",
		"NEAR(", "🍕👩‍👩‍👧", "我喜欢jazz和咖啡", "ﬁne ½ ①", "\u202eolleh", "ÀÉ̈İß",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, said string) {
		count := 0
		for w := range Words(said) {
			count++
			if w == "" || utf8.RuneCountInString(w) > maxWord {
				t.Fatalf("word %q of %q", w, said)
			}
			if strings.ContainsFunc(w, func(r rune) bool { return !text.IsWord(r) }) {
				t.Fatalf("word %q of %q contains what belongs to no word", w, said)
			}
		}
		if count > 4*maxText {
			t.Fatalf("%d words", count)
		}
		English.Terms(said)
	})
}
