package discord

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"familiar/channels"
	"familiar/channels/markdown"
)

func TestS7MentionsNotifyNobody(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"@everyone look", "@\u200beveryone look"},
		{"hi @here", "hi @\u200bhere"},
		{"<@123> <@!123> <@&4> <#5>", "<\u200b@123> <\u200b@!123> <\u200b@&4> <\u200b#5>"},
		{"`@everyone`", "`@\u200beveryone`"},
		{"@[everyone](a.md)", "@\u200beveryone (a.md)"},
		{"**@everyone**", "**@\u200beveryone**"},
		{`\@everyone`, "@\u200beveryone"},
		{"@every&#111;ne", "@\u200beveryone"},
		{"[@everyone](https://e.com/@everyone)", "@\u200beveryone (https://e.com/@\u200beveryone)"},
		{"https://e.com/@everyone", "https://e.com/@\u200beveryone"},
		{"me@example.com <:smile:123> <t:12:R>", "me@example.com <:smile:123> <t:12:R>"},
	} {
		got := format(tt.md)
		if got != tt.want {
			t.Errorf("format(%q) = %q, want %q", tt.md, got, tt.want)
		}
		if back := toMarkdown(got); strings.Contains(back, "\u200b") {
			t.Errorf("unformat(%q) = %q", got, back)
		}
	}
}

func TestD4FormatWritesDiscordsMarkdown(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"**b** _i_ ~~s~~ ||p|| <u>u</u> `c`", "**b** *i* ~~s~~ ||p|| __u__ `c`"},
		{"# one\n#### four", "# one\n**four**"},
		{"- a\n  - b\n- c\n\n2. d", "- a\n  - b\n- c\n\n2. d"},
		{"[page](https://e.com/(a))", "page (https://e.com/%28a%29)"},
		{"[a.md](docs/a.md) <https://e.com/a_b_c>", "a.md (docs/a.md) https://e.com/a_b_c"},
		{"[https://a.com](https://b.com)", "https://a.com (https://b.com)"},
		{"> q\n> r\n\nnot", "> q\n> r\n\nnot"},
		{"```go\na\n```", "```go\na\n```"},
		{"````\n```\n````", "```\n`\u200b``\n```"},
		{`2 * 3, \*a\*, snake_case, __init__ \_x\_`, `2 * 3, \*a\*, snake_case, **init** \_x\_`},
		{`\# no, \> no`, `\# no, > no`},
		{"| a | b |\n|-|-|\n| 1 | 2 |", "**a | b**\n1 | 2"},
		{"`__init__`", "`__init__`"},
	} {
		if got := format(tt.md); got != tt.want {
			t.Errorf("format(%q) = %q, want %q", tt.md, got, tt.want)
		}
	}
}

func TestUnformat(t *testing.T) {
	for _, tt := range []struct{ content, want string }{
		{"__under__ and __it__, __init__", "<u>under</u> and <u>it</u>, <u>init</u>"},
		{"__a__ __b__", "<u>a</u> <u>b</u>"},
		{"`__init__` ```py\n__init__\n```", "`__init__` ```py\n__init__\n```"},
		{"**b** *i* ||s||", "**b** *i* ||s||"},
		{"```one line```", "`one line`"},
		{"a ` b", "a ` b"},
	} {
		if got := toMarkdown(tt.content); got != tt.want {
			t.Errorf("unformat(%q) = %q, want %q", tt.content, got, tt.want)
		}
	}
}

func TestFormatRoundTrip(t *testing.T) {
	pieces := []string{
		"word", "😀", "**bold 😀**", "_it is_", "**a _b_**", "~~gone~~", "||secret||", "<u>under it</u>", "`code *x*`", "\n\n",
		"[page](https://e.com/a)", "[**b** page](https://e.com/a)", "\n\n```go\nx := 1\n```\n\n", "שלום", "snake_case",
		"\n\n> a quote\n> goes on\n\n", "2 * 3", "\n## head\n", "\n- one\n- two\n  - three\n\n", `\*a\*`, `\_b\_`, "@everyone", "<@12>",
		"https://e.com/a_b_c", `a\\b`, `C:\\dir`, `\[no\](link)`, `\~\~no\~\~`, `\|\|no\|\|`, "~5", "a | b",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		var said []string
		for range 1 + r.IntN(12) {
			said = append(said, pieces[r.IntN(len(pieces))])
		}
		md := strings.Join(said, " ")
		want, got := markdown.Shown(md), markdown.Parse(toMarkdown(format(md)))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\nis %q and as %q\n%q %v, want\n%q %v", md, format(md), toMarkdown(format(md)), got.Text, got.Spans, want.Text, want.Spans)
		}
	}
}

// S8: what people write is not rendered from the persona's mouth.
func TestS8NoTextHidesAnAddress(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"[bank](https://evil.example)", "bank (https://evil.example)"},
		{markdown.Escape("[bank](https://evil.example)"), `[bank\](https://evil.example)`},
		{markdown.Escape("[https://bank](https://evil.example)"), `[https://bank\](https://evil.example)`},
		{markdown.Escape("||x|| **b** # no\n# head\n> said\n-# small"), "\\|\\|x\\|\\| \\*\\*b\\*\\* # no\n\\# head\n\\> said\n\\-# small"},
		{markdown.Escape("- a, é_b_é"), `\- a, é\_b\_é`},
		{"[me](discord://x) <steam://run/1>", "me (discord:\u200b//x) steam:\u200b//run/1"},
	} {
		if got := format(tt.md); got != tt.want {
			t.Errorf("format(%q) = %q, want %q", tt.md, got, tt.want)
		}
	}
}

func TestS8ATextThatIsTooLongHidesNoAddressEither(t *testing.T) {
	md := "[a](https://b.example) @everyone " + strings.Repeat("a_ ", 640)
	if got := formatBody(md); !strings.HasPrefix(got, "[a]\u200b(https://b.example) @\u200beveryone a_ ") {
		t.Errorf("got %.60q", got)
	}
}

// masked matches the middle of a link whose text hides its address.
var masked = regexp.MustCompile(`(^|[^\\])(\\\\)*\]\(`)

// blockMark matches the start of a heading, small print, a quote or a list item.
var blockMark = regexp.MustCompile(`(?m)^ *(#{1,3} |-# |> |[-+*] )`)

func FuzzS8Masked(f *testing.F) {
	f.Add("[a](b) ||c|| [https://x](https://y) `](` ![i](j)\n# k")
	f.Fuzz(func(t *testing.T, text string) {
		for _, md := range []string{text, markdown.Escape(text)} {
			got := format(md)
			outside := markdown.SplitCode(got, func(s string) string { return s }, func(int, string) string { return "x" })
			if masked.MatchString(outside) {
				t.Fatalf("%q became %q, which hides an address", md, got)
			}
		}
		if strings.Contains(text, "://") {
			return // no app reads marks in an address
		}
		quoted := format(markdown.Escape(text))
		for _, s := range markdown.Parse(toMarkdown(quoted)).Spans {
			if s.Kind != markdown.Heading && s.Kind != markdown.Bullet { // Discord reads these only as blockMark has them
				t.Fatalf("quoted, %q became %q: %v", text, quoted, s)
			}
		}
		if blockMark.MatchString(quoted) {
			t.Fatalf("quoted, %q became %q", text, quoted)
		}
	})
}

func FuzzD7Format(f *testing.F) {
	f.Add("**@everyone** <@1*2*3> [@here](http://x.y/@here) \\<@&12> `@here`")
	f.Add("# - > _a_\n___\n```\n@everyone\n```\n* __x__ \u202e\u200d")
	f.Fuzz(func(t *testing.T, md string) {
		got := format(md)
		if !utf8.ValidString(got) || strings.TrimSpace(markdown.Parse(md).Text) != "" && strings.TrimSpace(got) == "" {
			t.Fatalf("%q became %q", md, got)
		}
		toMarkdown(md)
		if m := mention.FindString(got); m != "" {
			t.Fatalf("%q became %q, which calls %s", md, got, m)
		}
	})
}

func TestA6ChunksAreWithinTheLimit(t *testing.T) {
	text := strings.Repeat("@everyone *said* 2\\*3 to <@123> that snake_case_ is **bold and bolder**. ", 200)
	l := channels.Limits{Text: 1900, Unit: channels.UTF16, Format: format}
	for _, c := range channels.Split(text, l) {
		if n := len(utf16.Encode([]rune(format(c)))); n > l.Text || n == 0 {
			t.Errorf("%q takes %d", c, n)
		}
	}
}

func FuzzA6ChunksAreWithinTheLimit(f *testing.F) {
	f.Add(strings.Repeat("**@everyone *and* `here`** [a](https://b.c) ", 9), 60)
	f.Add("> ```go\n> _a_\n> ```\n\n|a|\n|-|\n|b|\n- c\n  - d", 20)
	f.Fuzz(func(t *testing.T, md string, limit int) {
		if limit < 16 || limit > 4000 {
			t.Skip()
		}
		for _, c := range channels.Split(md, channels.Limits{Text: limit, Unit: channels.UTF16, Format: format}) {
			if got := format(c); len(utf16.Encode([]rune(got))) > limit || strings.TrimSpace(got) == "" {
				t.Fatalf("limit %d: chunk %q of %q becomes %q", limit, c, md, got)
			}
		}
	})
}
