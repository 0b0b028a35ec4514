package markdown

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// show returns d with its spans in braces.
func show(d Document) string {
	names := []string{"bold", "italic", "strike", "underline", "spoiler", "code", "pre", "link", "quote", "heading", "bullet"}
	var write func(at, end int, spans []Span) string
	write = func(at, end int, spans []Span) string {
		var b strings.Builder
		for len(spans) > 0 {
			s, n := spans[0], 1
			for n < len(spans) && spans[n].Start < s.End {
				n++
			}
			b.WriteString(d.Text[at:s.Start])
			name := names[s.Kind]
			if s.Info != "" {
				name += "=" + s.Info
			}
			fmt.Fprintf(&b, "{%s:%s}", name, write(s.Start, s.End, spans[1:n]))
			at, spans = s.End, spans[n:]
		}
		return b.String() + d.Text[at:end]
	}
	return write(0, len(d.Text), d.Spans)
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, md, want string }{
		{"plain", "two\nlines", "two\nlines"},
		{"emphasis", "**a** _b_ *c* ***d***", "{bold:a} {italic:b} {italic:c} {italic:{bold:d}}"},
		{"nested", "**a _b ~~c~~_**", "{bold:a {italic:b {strike:c}}}"},
		{"spoiler and underline", "||a|| <u>b **c**</u>", "{spoiler:a} {underline:b {bold:c}}"},
		{"lone marks", "2 * 3, ~5 km, a | b, a || b, x_y_z, <u>", "2 * 3, ~5 km, a | b, a || b, x_y_z, <u>"},
		{"code", "`a` ``b` c`` `  `", "{code:a} {code:b` c}"},
		{"fence", "```go run\na\n\n  b\n```\nafter", "{pre=go:a\n\n  b}\nafter"},
		{"tildes", "~~~\n```\n~~~", "{pre:```}"},
		{"an open fence", "```\na", "{pre:a}"},
		{"link", `[a **b**](https://e.com "title") <https://e.com>`, "{link=https://e.com:a {bold:b}} https://e.com"},
		{"link without text", "[](https://e.com)", "{link=https://e.com:https://e.com}"},
		{"image", "![alt](i.png) [![in](i.png)](https://e.com)", "{link=i.png:alt} {link=https://e.com:in}"},
		{"definitions are text", "[a][1]\n\n[1]: https://e.com", "[a][1]\n\n[1]: https://e.com"},
		{"headings", "# One\ntext\n\nTwo\n---\n## **b**", "{heading=1:One}\ntext\n\n{heading=2:Two}\n{heading=2:{bold:b}}"},
		{"list", "So:\n- a\n- b\n  c\n\n  d\n  - e", "So:\n{bullet:•} a\n{bullet:•} b\n  c\n\n  d\n  {bullet:•} e"},
		{"numbers", "3) a\n4) b\n   1. c", "3) a\n4) b\n  1. c"},
		{"tasks", "- [ ] a\n- [x] b", "{bullet:•} [ ] a\n{bullet:•} [x] b"},
		{"code in a list", "1. a\n   ```\n   b\n     c\n   ```", "1. a\n{pre:b\n  c}"},
		{"quotes", "> a\n> > b\n\nc", "{quote:a\n{quote:b}}\n\nc"},
		{"table", "| a | **b** |\n|---|:-:|\n| `x` | |\n| y | z |", "{bold:a | b}\n{code:x} | \ny | z"},
		{"a row with more cells", "| a |\n|---|\n| b | c | d |\ne | f", "{bold:a}\nb | c | d\ne | f"},
		{"html is text", "<div>\n**a** <br> <b>\n</div>", "<div>\n{bold:a} <br> <b>\n</div>"},
		{"escapes", `\*a\* \q C:\dir &lt; \&lt; &#65;`, `*a* \q C:\dir < &lt; A`},
		{"rule", "a\n\n---\n\nb", "a\n\n———\n\nb"},
		{"indented text is no code", "a\n\n    b", "a\n\nb"},
		{"nothing to show", "```\n```", "```\n```"},
		{"CRLF", "**a**\r\n```\r\nb\r\n```", "{bold:a}\n{pre:b}"},
		{"names", "# @every\nOne", "{heading=1:@every}\nOne"},
		{"right to left", "**שלום** \u200fא", "{bold:שלום} \u200fא"},
		{"blank", " \n ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := show(Parse(tt.md)); got != tt.want {
				t.Errorf("Parse(%q)\n= %q\nwant %q", tt.md, got, tt.want)
			}
		})
	}
}

func TestTidyKeepsItsInvariants(t *testing.T) {
	d := Document{Text: "one two  three", Spans: []Span{
		{4, 9, Italic, ""}, {0, 8, Bold, ""}, {2, 3, Bold, ""}, {7, 9, Code, ""}, {9, 14, Strike, ""},
	}}
	if got, want := show(d.Normalize()), "{bold:one {italic:two}}  {strike:three}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRegionsFindTheMarksOfTheSource(t *testing.T) {
	for _, tt := range []struct {
		md   string
		want []string
	}{
		{"a **b _c_**", []string{"**|b _c_|**", "_|c|_"}},
		{"***x***", []string{"*|**x**|*", "**|x|**"}},
		{"`a` ``b` ``", []string{"`|a|`", "``|b` |``"}},
		{`[a *b*](c "d") ![e](f)`, []string{`[a *b*](c "d")||`, "![e](f)||"}},
		{"<u>a ~~b~~</u> <b>", []string{"<u>|a ~~b~~|</u>", "~~|b|~~", "<b>||"}},
		{"a\n\n> ```go\n> b\n> ```\nc", []string{"> ```go\n|> b\n|> ```"}},
		{"- ~~~\n  a\n  ~~~", []string{"- ~~~\n|  a\n|  ~~~"}},
		{"```\nopen", []string{"```\n|open|"}},
		{"|a|\n|-|\n|b|\n\nc", []string{"|a|\n|-|\n||b|\n|"}},
	} {
		var got []string
		for _, r := range Regions(tt.md) {
			got = append(got, tt.md[r.Start:r.Body]+"|"+tt.md[r.Body:r.BodyEnd]+"|"+tt.md[r.BodyEnd:r.End])
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Regions(%q) = %q, want %q", tt.md, got, tt.want)
		}
	}
}

func TestMarkdownIsReadAsTheSameDocument(t *testing.T) {
	for _, md := range []string{
		"**a _b_** ~~c~~ ||d|| <u>e</u> `f` ``g` ``", "# h\ntext", "a\n```go\nb\n```\nc", "> a\n> b\n\nc",
		"[a](https://e.com/b(c)) https://e.com", "- a\n- b", "un**bold**ed and *un*like",
	} {
		want := Parse(md)
		if got := Parse(want.Markdown()); !reflect.DeepEqual(got, want) {
			t.Errorf("%q became %q: %s, want %s", md, want.Markdown(), show(got), show(want))
		}
	}
}

func TestParseIsFastOnLongText(t *testing.T) {
	for _, part := range []string{"**bold** [a](b) `c`\n\n", "- item\n", "> q\n", "word ", "\n"} {
		text := "a" + strings.Repeat(part, 1<<20/len(part))
		start := time.Now()
		if got := len(Parse(text).Text); got == 0 {
			t.Error("nothing is left")
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%d bytes of %q took %s", len(text), part, took)
		}
	}
}

// letters returns the letters of s.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return r
	}, s)
}

// S8: what people write is quoted, not rendered.
func TestS8EscapedTextIsShownAsWritten(t *testing.T) {
	for _, text := range []string{
		"plain, (really) #1 - no. 5 > 4!", "two\nlines", "**b** _i_ ~~s~~ ||p|| <u>u</u> `c`", "[a](https://b) ![c](d) <https://e>", "# h\n## i",
		"a\n===", "- a\n+ b\n* c\n3) d\n7) e", "> q", "```\nx\n```", "| a |\n|---|\n| b |", `\*a\* C:\dir`, "&lt; &amp;", "a\n---\nb", "~~~\nx",
	} {
		d := Parse(Escape(text))
		if d.Text != text || len(d.Spans) > 0 {
			t.Errorf("Escape(%q) = %q is read as %s", text, Escape(text), show(d))
		}
		if got := Unescape(Escape(text)); got != text {
			t.Errorf("Unescape(Escape(%q)) = %q", text, got)
		}
	}
	if got, want := Unescape("`\\*` \\* ``a` \\_``"), "`\\*` * ``a` \\_``"; got != want {
		t.Errorf("Unescape = %q, want %q", got, want)
	}
	if text := "Tom & Ann, 2 * 3 = 6 [sic] snake_case"; Escape(text) != text {
		t.Errorf("Escape(%q) = %q, want it unchanged", text, Escape(text))
	}
}

func FuzzS8Escape(f *testing.F) {
	f.Add("**a _b `c` d_ e** [x `y`](z) ||s||\n> ```\n> c\n> ```\n- a\n  1. b\n\n|x|\n|-|\n|y|\n&amp; <u>z</u>\n===\n---")
	f.Fuzz(func(t *testing.T, text string) {
		d := Parse(Escape(text))
		if len(d.Spans) > 0 || !slices.Equal(strings.Fields(d.Text), strings.Fields(clean(text))) {
			t.Fatalf("Escape(%q) = %q is read as %s", text, Escape(text), show(d))
		}
	})
}

func TestS8LinksShowTheirAddress(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"[bank](https://evil.example)", "bank (https://evil.example)"},
		{"**[a](b)**, [c](d)", "{bold:a} (b), c (d)"},
		{"[https://a.com](https://b.com)", "https://a.com (https://b.com)"},
		{"[https://a.com](https://a.com) [](https://c.com) [d]()", "https://a.com https://c.com d"},
		{"![alt](https://e.com/(f).png)", "alt (https://e.com/%28f%29.png)"},
		{"[me](tg://user?id=1) `tg://x` http://a HTTPS://b", "me (tg:\u200b//user?id=1) {code:tg://x} http://a HTTPS://b"},
	} {
		if got := show(Shown(tt.md)); got != tt.want {
			t.Errorf("Shown(%q) = %q, want %q", tt.md, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("**a _b `c` d_ e** [x `y`](z) ||s||\n> ```\n> c\n> ```\n- a\n  1. b\n\n|x|\n|-|\n|y|\n")
	f.Fuzz(func(t *testing.T, md string) {
		d := Parse(md)
		if !utf8.ValidString(d.Text) || strings.TrimSpace(d.Text) == "" != (strings.TrimSpace(clean(md)) == "") {
			t.Fatalf("Parse(%q) = %q", md, d.Text)
		}
		var open []Span
		for _, s := range d.Spans {
			for len(open) > 0 && open[len(open)-1].End <= s.Start {
				open = open[:len(open)-1]
			}
			if strings.TrimSpace(d.Text[s.Start:s.End]) == "" || len(open) > 0 && open[len(open)-1].End < s.End {
				t.Fatalf("Parse(%q) = %q %v: %v", md, d.Text, d.Spans, s)
			}
			open = append(open, s)
		}
		md = clean(md)
		if !strings.ContainsAny(md, "[`~<&\\") && letters(d.Text) != letters(md) {
			t.Fatalf("Parse(%q) = %q", md, d.Text)
		}
		for i, r := range Regions(md) {
			if r.Start > r.Body || r.Body > r.BodyEnd || r.BodyEnd > r.End || r.End > len(md) || r.Parent >= i {
				t.Fatalf("Regions(%q)[%d] = %+v", md, i, r)
			}
		}
	})
}
