package channels

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"familiar/channels/markdown"

	"github.com/rivo/uniseg"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name string
		text string
		lim  Limits
		want []string
	}{
		{"no limit", strings.Repeat("a", 9000), Limits{}, []string{strings.Repeat("a", 9000)}},
		{"nothing", "", Limits{Text: 5}, nil},
		{"only white space", " \n\t ", Limits{Text: 2}, nil},
		{"fits", "hello", Limits{Text: 5}, []string{"hello"}},
		{"paragraph before line", "one\ntwo\n\nthree\nfour", Limits{Text: 16}, []string{"one\ntwo\n\n", "three\nfour"}},
		{"line before sentence", "one\ntwo. three four", Limits{Text: 14}, []string{"one\ntwo. ", "three four"}},
		{"sentence before word", "It rains. I stay in", Limits{Text: 14}, []string{"It rains. ", "I stay in"}},
		{"quoted sentence", "“It rains.” I stay in", Limits{Text: 16}, []string{"“It rains.” ", "I stay in"}},
		{"full-width sentence", "雨です。家にいます", Limits{Text: 6}, []string{"雨です。", "家にいます"}},
		{"word", "alpha beta gamma", Limits{Text: 12}, []string{"alpha beta ", "gamma"}},
		{"early break is better than a torn word", "Hi abcdefghijkl", Limits{Text: 12}, []string{"Hi ", "abcdefghijkl"}},
		{"no break at all", "abcdefghij", Limits{Text: 4}, []string{"abcd", "efgh", "ij"}},
		{"UTF-16 pairs", "😀😀😀", Limits{Text: 5, Unit: UTF16}, []string{"😀😀", "😀"}},
		{"bytes", "éééé", Limits{Text: 5, Unit: Bytes}, []string{"éé", "éé"}},
		{"family stays together", "ab👨‍👩‍👧cd", Limits{Text: 6}, []string{"ab", "👨‍👩‍👧c", "d"}},
		{"grapheme longer than the limit", "👨‍👩‍👧", Limits{Text: 2}, []string{"👨\u200d", "👩\u200d", "👧"}},
		{"rune longer than the limit", "😀a", Limits{Text: 1, Unit: Bytes}, []string{"😀", "a"}},
		{"white space too long for a chunk", "a" + strings.Repeat("\n", 9) + "b", Limits{Text: 4}, []string{"a\n\n\n", "\n\nb"}},
		{"invalid bytes", "a\xffb", Limits{Text: 2}, []string{"a\uFFFD", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Split(tt.text, tt.lim)
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("Split(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestSplitReopensFences(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string
	}{
		{
			"code over the limit",
			"Look:\n```go\nfirst line\nsecond line\nthird line\nfourth\n```\nDone.",
			[]string{
				"Look:\n```go\nfirst line\nsecond line\n```",
				"```go\nthird line\nfourth\n```\nDone.",
			},
		},
		{
			"a fence is not opened at the end of a chunk",
			"A sentence that takes room.\n```sh\nmake all the things\n```\n",
			[]string{"A sentence that takes room.\n", "```sh\nmake all the things\n```\n"},
		},
		{
			"tildes, and backticks inside",
			"~~~md\n```\nsome text here\n```\nmore of the text\n~~~\n",
			[]string{"~~~md\n```\nsome text here\n```\n~~~", "~~~md\nmore of the text\n~~~\n"},
		},
		{
			"one line of code over the limit",
			"```\n" + strings.Repeat("x", 50) + "\n```",
			[]string{"```\n" + strings.Repeat("x", 32) + "\n```", "```\n" + strings.Repeat("x", 18) + "\n```"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Split(tt.text, Limits{Text: 40})
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// checkSplit checks the guarantees in Split's comment for one text and limit.
func checkSplit(t *testing.T, text string, l Limits) {
	t.Helper()
	text = strings.ToValidUTF8(text, "\uFFFD")
	chunks := Split(text, l)
	for _, c := range chunks {
		if blank(c) {
			t.Errorf("blank chunk %q of %q", c, text)
		}
		if n := size(c, l.Unit); n > l.Text && utf8.RuneCountInString(c) > 1 {
			t.Errorf("chunk %q takes %d, limit %d", c, n, l.Text)
		}
		if !utf8.ValidString(c) {
			t.Errorf("chunk %q is not UTF-8", c)
		}
	}
	joined := strip(strings.Join(chunks, ""))
	if !subsequence(strip(text), joined) {
		t.Errorf("limit %d: %q lost text in %q", l.Text, text, chunks)
	}
	if len(markdown.Regions(text)) > 0 || strings.Contains(text, ">") {
		return
	}
	if joined != strip(text) {
		t.Errorf("limit %d: %q became %q", l.Text, text, chunks)
	}
	checkClusters(t, text, chunks, l)
}

// checkClusters checks that chunks end between grapheme clusters unless one is longer than the limit.
func checkClusters(t *testing.T, text string, chunks []string, l Limits) {
	t.Helper()
	bounds, at := map[int]bool{0: true}, 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if size(g.Str(), l.Unit) > l.Text {
			return
		}
		at += len(g.Str())
		bounds[at] = true
	}
	if strings.Join(chunks, "") != text {
		return
	}
	at = 0
	for _, c := range chunks {
		if at += len(c); !bounds[at] {
			t.Errorf("limit %d: %q is cut inside a grapheme: %q", l.Text, text, chunks)
		}
	}
}

func strip(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func subsequence(want, got string) bool {
	for _, r := range got {
		first, n := utf8.DecodeRuneInString(want)
		if n > 0 && r == first {
			want = want[n:]
		}
	}
	return want == ""
}

func TestSplitProperties(t *testing.T) {
	pieces := []string{
		"a", "word ", "Ende. ", "\n", "\n\n", " ", "😀", "👨‍👩‍👧", "é", "e\u0301", "雨。", "\r\n", "שלום ", "🇩🇪",
		"```go\n", "```\n", "~~~\n", "```", strings.Repeat("x", 30), "\t", "``` x\n", "**", "*", "_", "~~", "||", "`", "[a b](c)",
		"> ", "- ", "# ", "|", "\n|-|-|\n", "<u>", "</u>", "\\", "&amp;", "[", "](", "@everyone",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		checkSplit(t, b.String(), Limits{Text: 1 + r.IntN(60), Unit: Unit(r.IntN(3))})
		if t.Failed() {
			return
		}
	}
}

// A reader sees every chunk alone: no chunk may leave a block open that the whole text closes.
func TestSplitClosesEveryFence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString("Some words before.\n```go\n")
			for range r.IntN(12) {
				b.WriteString(strings.Repeat("c", r.IntN(30)) + "\n")
			}
			b.WriteString("```\nand after.\n")
		}
		for _, c := range Split(b.String(), Limits{Text: 30 + r.IntN(60)}) {
			for _, r := range markdown.Regions(c) {
				if r.BodyEnd == len(c) {
					t.Fatalf("chunk %q of %q leaves a fence open", c, b.String())
				}
			}
		}
	}
}

func TestA6SplitReopensFormatting(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{
			"bold text", "It is **very very important to know that** they left.",
			[]string{"It is **very very important to know** ", "**that** they left."},
		},
		{
			"bold inside of italic text", "_It is **very very important to know that** they left._",
			[]string{"_It is **very very important to know**_ ", "_**that** they left._"},
		},
		{
			"a link", "Please have a good look at [our page](https://example.com).",
			[]string{"Please have a good look at ", "[our page](https://example.com)."},
		},
		{
			"a quote", "> They said that it would rain all day, and it did.\nSo it was.",
			[]string{"> They said that it would rain all day, ", "> and it did.\nSo it was."},
		},
		{
			"a table", "| a | b |\n|-|-|\n| one | two |\n| three | four |\n| five | six |\n",
			[]string{"| a | b |\n|-|-|\n| one | two |\n", "| a | b |\n|-|-|\n| three | four |\n", "| a | b |\n|-|-|\n| five | six |\n"},
		},
		{
			"code in a list", "12. So:\n\n    ```go\n    one()\n      two()\n    three()\n    ```\nEnd.",
			[]string{"12. So:\n\n    ```go\n    one()\n    ```", "```go\n  two()\nthree()\n```\n", "End."},
		},
		{
			"code in a quote", "> ```go\n> one(1, 2, 3)\n> two(1, 2, 3)\n> three()\n> ```",
			[]string{"> ```go\n> one(1, 2, 3)\n> ```", "> ```go\n> two(1, 2, 3)\n> three()\n> ```"},
		},
		{
			"what would begin a list", "This is a line of plain words, 1. and 2. apart",
			[]string{"This is a line of plain words, 1. and 2. ", "apart"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Split(tt.text, Limits{Text: 41}); !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A network's format may be longer than its Markdown source; the limit applies to the result.
func TestA6TheFormattedChunkIsWithinTheLimit(t *testing.T) {
	double := func(md string) string { return strings.ReplaceAll(md, "a", "aa") }
	text := strings.Repeat("a banana and a papaya. ", 50)
	for _, l := range []Limits{{Text: 100, Format: double}, {Text: 7, Format: double}, {Text: 1, Format: double}} {
		chunks := Split(text, l)
		if got := strings.Join(chunks, ""); strip(got) != strip(text) {
			t.Errorf("limit %d: %q became %q", l.Text, text, got)
		}
		for _, c := range chunks {
			if n := size(double(c), l.Unit); n > l.Text && utf8.RuneCountInString(c) > 1 {
				t.Errorf("limit %d: chunk %q takes %d", l.Text, c, n)
			}
		}
	}
}

func TestSplitIsFastOnLongText(t *testing.T) {
	for _, part := range []string{
		"```\ncode\n```\nwords and words. ",
		"**bold** and [a link](https://example.com), ",
		"> a quote that **goes on and on** and on ",
		"word", "a\u200b\u200d", "\n", "שלום ",
	} {
		long := 1 << 20
		if part == "שלום " {
			long *= 5
		}
		text := "a" + strings.Repeat(part, long/len(part))
		got := 0
		for _, c := range Split(text, Limits{Text: 2000, Unit: UTF16}) {
			got += len(c)
		}
		if got < len(strings.TrimSpace(text)) {
			t.Errorf("%d bytes of %q: %d are left", len(text), part, got)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("one two three", 5, 0)
	f.Add("```go\nfunc main() {}\n```\nafter", 20, 1)
	f.Add("👨‍👩‍👧😀é", 3, 2)
	f.Fuzz(func(t *testing.T, text string, limit, unit int) {
		if limit < 1 || limit > 1<<16 || unit < 0 || unit > 2 {
			t.Skip()
		}
		checkSplit(t, text, Limits{Text: limit, Unit: Unit(unit)})
	})
}
