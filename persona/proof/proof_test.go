package proof_test

import (
	"slices"
	"testing"

	"familiar/persona/proof"
)

// F4: what a model writes about people has only names and numbers of the lines it rests on, in any language.
// F5: no check of a proof depends on English.

func TestF4NamesAndNumbersMustBeInTheLines(t *testing.T) {
	for _, tt := range []struct {
		said, lines string
		lacks       []string
	}{
		{"Ann visits Bea in Porto on 12 May.", "Ann: bea lives in porto, i go on may 12th", nil},
		{"Ann misses her brother Maximilian.", "Ann: work was hard", []string{"Maximilian"}},
		{"They own 3 boats.", "I own three boats", []string{"3"}},
		{"Ana se muda a Bilbao con Nerea.", "Ana: me mudo a bilbao con nerea", nil},
		{"Ana se muda a Bilbao con Íñigo.", "Ana: me mudo a bilbao", []string{"Íñigo"}},
		{"Anas Schwester zieht im Mai nach Porto.", "Ana: meine schwester zieht um", nil}, // nouns have capitals
		{"Anas Schwester zieht am 12. Mai um.", "Ana: meine schwester zieht um", []string{"12"}},
		{"Вчера она была у Анны.", "Ольга: я была у Анна вчера", nil},
		{"Вчера она была у Петра.", "Ольга: я была у Анна вчера", []string{"Петра"}},
		{"彼女はマリアと東京に住んでいる。", "ana: マリアと東京に住んでるよ", nil},
		{"彼女はカルロスと住んでいる。", "ana: マリアと住んでるよ", []string{"カルロス"}},
		{"她今年 35 岁。", "我今年35岁", nil},
		{"هي عمرها 40 سنة.", "عمري ٤٠ سنة", nil},
	} {
		missing := proof.NewRecord(tt.lines).Lacks(tt.said)
		for _, want := range tt.lacks {
			if !slices.ContainsFunc(missing, func(s string) bool { return s == want || len(s) > len(want) && s[:len(want)] == want }) {
				t.Errorf("%q against %q lacks %q, want %q", tt.said, tt.lines, missing, want)
			}
		}
		if len(tt.lacks) == 0 && len(missing) > 0 {
			t.Errorf("%q against %q lacks %q", tt.said, tt.lines, missing)
		}
	}
}

func TestQuoted(t *testing.T) {
	if got := proof.Quoted("moved to\n Lagos", "I moved  to Lagos"); got != "moved to Lagos" {
		t.Errorf("Quoted = %q", got)
	}
	for _, quote := range []string{"", " ", "Moved to Lagos", "moved to sunny Lagos"} {
		if got := proof.Quoted(quote, "I moved to Lagos"); got != "" {
			t.Errorf("Quoted(%q) = %q", quote, got)
		}
	}
}

func TestSomebodyIsNamedByATieToAKnownName(t *testing.T) {
	r := proof.NewRecord("Bron", "Maëlle", "Jule", "美咲", "Marta was here with Ana")
	for phrase, want := range map[string]bool{
		"Bron's father": true, "Mère de Maëlle": true, "Jules Mutter": true, "美咲の母": true, "Mãe da Marta": true, "the brother of Ana": true,
		"Anna Müller": false, "Marta Gonzalez": false, "Zoe's father": false, "Mère de Chloé": false, "拓也の母": false, "the neighbour": false,
	} {
		if got := r.Ties(phrase); got != want {
			t.Errorf("%q: %v, want %v", phrase, got, want)
		}
	}
}
