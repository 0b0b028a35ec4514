package text

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for said, want := range map[string]string{
		"Don’t move O'Brien's mid-May plan": "don't|move|o'brien's|mid-may|plan",
		"At 17:30 on 7/5, or 2023-05-07.":   "at|17:30|on|7/5|or|2023-05-07",
		"home.Then example.org 3.5 a@b.c":   "home|then|example.org|3.5|a@b.c",
		"'quoted' -x- naïve мир R\xffex":    "quoted|x|naïve|мир|r\ufffdex",
		"":                                  "",
	} {
		var got []string
		for tok := range Tokens(said, Inside) {
			got = append(got, strings.ToValidUTF8(tok.Norm, "\ufffd"))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", said, strings.Join(got, "|"), want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("it's 17:30 – don't")
	f.Fuzz(func(t *testing.T, said string) {
		end := 0
		for tok := range Tokens(said, Inside) {
			if tok.Start < end || tok.End <= tok.Start || tok.End > len(said) || Normalize(said[tok.Start:tok.End]) != tok.Norm {
				t.Fatalf("%q: %+v after byte %d", said, tok, end)
			}
			end = tok.End
		}
	})
}

// TestPlainIsLowerAndBare holds for every character of the scripts with small letters or accents, before marks that may
// change their order.
func TestPlainIsLowerAndBare(t *testing.T) {
	for r := rune(0x80); r < 0x3000; r++ {
		said := "A" + string(r) + "\u0301\u0327" + string(r)
		if got, want := Plain(said), Bare(Lower(said)); got != want {
			t.Fatalf("Plain(%q) = %q, want %q", said, got, want)
		}
	}
}

// The shorter way for western letters gives the same bytes as Unicode normalization.
func TestWesternTexts(t *testing.T) {
	for r := rune(1); r < 0x100; r++ {
		said := "aX" + string(r) + "Ä" + string(r)
		bare := respell(said, writeBare)
		if got := Bare(said); got != bare {
			t.Errorf("Bare(%q) = %q, want %q", said, got, bare)
		}
		lower := respell(said, func(b *strings.Builder, r rune) {
			if r, written := small(r); written {
				b.WriteRune(r)
			}
		})
		if got := Lower(said); got != lower {
			t.Errorf("Lower(%q) = %q, want %q", said, got, lower)
		}
	}
}

func TestNormalize(t *testing.T) {
	for word, want := range map[string]string{"Don’t": "don't", "OʼNeill": "o'neill", "y`all": "y'all", "É": "é", "": ""} {
		if got := Normalize(word); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestIsWord(t *testing.T) {
	for r, want := range map[rune]bool{'a': true, 'ß': true, '7': true, '\u0301': true, '東': true, '\'': false, '-': false, ' ': false, '\uFFFD': false} {
		if IsWord(r) != want {
			t.Errorf("IsWord(%q) = %v", r, !want)
		}
	}
}
