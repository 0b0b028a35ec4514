package channels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"familiar/channels/markdown"
)

// Each chunk is read alone, and together they must mean the same as the whole: no text loses or gains formatting at a
// cut.
func TestA6ChunksKeepTheMeaning(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		text := prose(r)
		l := Limits{Text: 90 + r.IntN(300), Unit: Unit(r.IntN(3))}
		var got []string
		for _, c := range Split(text, l) {
			got = append(got, meaning(c)...)
		}
		if want := meaning(text); !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("limit %d: %q\nbecame %q\nwhich differs at %q", l.Text, text, Split(text, l), want[max(0, i-20):min(len(want), i+5)])
		}
	}
}

// prose returns Markdown as models write it.
func prose(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		switch r.IntN(6) {
		case 0:
			b.WriteString("```go\n")
			for range 1 + r.IntN(9) {
				b.WriteString(strings.Repeat("\t", r.IntN(3)) + strings.Repeat("code ", 1+r.IntN(6)) + "// *x*\n")
			}
			b.WriteString("```\n\n")
		case 1:
			b.WriteString("## " + words(r, 3) + "\n")
		case 2:
			for range 1 + r.IntN(5) {
				b.WriteString("- " + words(r, 12) + "\n")
				if r.IntN(3) == 0 {
					b.WriteString("  - " + words(r, 12) + "\n")
				}
			}
			b.WriteString("\n")
		case 3:
			b.WriteString("> " + words(r, 40) + "\n> " + words(r, 9) + "\n\n")
		default:
			b.WriteString(words(r, 60) + "\n\n")
		}
	}
	return b.String()
}

func words(r *rand.Rand, n int) string { return marked(r, n, []string{"**", "_", "~~", "||", "***"}) }

// marked returns up to n words, some inside one of marks, without nesting the same mark.
func marked(r *rand.Rand, n int, marks []string) string {
	var hasText []string
	for range 1 + r.IntN(n) {
		switch r.IntN(9) {
		case 0:
			if i := r.IntN(len(marks) + 1); i < len(marks) {
				m := marks[i]
				rest := slices.DeleteFunc(slices.Clone(marks), func(o string) bool { return o[0] == m[0] })
				hasText = append(hasText, m+marked(r, n/2+1, rest)+m)
			}
		case 1:
			hasText = append(hasText, "[a link](https://example.com/a_b)")
		case 2:
			hasText = append(hasText, "`some *code*`")
		default:
			hasText = append(hasText, []string{"word", "snake_case", "Ende.", "😀", "2 * 3", "שלום", "it,", "1. x", "(so)"}[r.IntN(9)])
		}
	}
	return "a " + strings.Join(hasText, " ")
}

// meaning returns the letters of md, each with the formatting around it.
func meaning(md string) []string {
	d := markdown.Parse(md)
	kinds := make([]int, len(d.Text))
	for _, s := range d.Spans {
		for i := s.Start; i < s.End; i++ {
			kinds[i] |= 1 << s.Kind
		}
	}
	var all []string
	for i, c := range d.Text {
		if !unicode.IsSpace(c) {
			all = append(all, fmt.Sprintf("%c%x", c, kinds[i]))
		}
	}
	return all
}
