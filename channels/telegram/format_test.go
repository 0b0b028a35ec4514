package telegram

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"familiar/channels"
	"familiar/channels/markdown"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

func TestT4MarkdownBecomesTextAndEntities(t *testing.T) {
	type entities = []tgbotapi.MessageEntity
	for _, tt := range []struct {
		md, text string
		want     entities
	}{
		{"plain", "plain", nil},
		{"😀 **bold**", "😀 bold", entities{{Type: "bold", Offset: 3, Length: 4}}},
		{"***both***", "both", entities{{Type: "italic", Length: 4}, {Type: "bold", Length: 4}}},
		{"# Head **bold**\ntext", "Head bold\ntext", entities{{Type: "bold", Length: 9}}},
		{"- a\n- b", "• a\n• b", nil},
		{"2 * 3 * 4, snake_case, ~5 km", "2 * 3 * 4, snake_case, ~5 km", nil},
		{"[page](https://example.com/a_b)", "page (https://example.com/a_b)", nil},
		{"see [it](docs/a.md) _now_", "see it (docs/a.md) now", entities{{Type: "italic", Offset: 19, Length: 3}}},
		{"**[it](a.md)**, [so](b)", "it (a.md), so (b)", entities{{Type: "bold", Length: 2}}},
		{"~~s~~ ||p|| <u>u</u>", "s p u", entities{
			{Type: "strikethrough", Length: 1}, {Type: "spoiler", Offset: 2, Length: 1}, {Type: "underline", Offset: 4, Length: 1},
		}},
		{"```go\na\n\tb\n```", "a\n\tb", entities{{Type: "pre", Length: 4, Language: "go"}}},
		{"**run `make` now**", "run make now", entities{
			{Type: "bold", Length: 3}, {Type: "code", Offset: 4, Length: 4}, {Type: "bold", Offset: 9, Length: 3},
		}},
		{"[the `code`](https://example.com)", "the code (https://example.com)", entities{{Type: "code", Offset: 4, Length: 4}}},
		{"> a\n> > b\n\nc", "a\nb\n\nc", entities{{Type: "blockquote", Length: 3}}},
		{"<b>html</b> & &amp;", "<b>html</b> & &", nil},
		{"| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2", entities{{Type: "bold", Length: 5}}},
		{"```\n\n```", "```\n\n```", nil},
	} {
		text, got := format(tt.md)
		if text != tt.text || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("format(%q) = %q %+v\nwant %q %+v", tt.md, text, got, tt.text, tt.want)
		}
	}
}

func TestT4UnformatReadsEntities(t *testing.T) {
	type entities = []tgbotapi.MessageEntity
	for _, tt := range []struct {
		text string
		es   entities
		want string
	}{
		{"as *typed*", nil, "as *typed*"},
		{"@bot do 2*3*4", entities{{Type: "mention", Length: 4}}, "@bot do 2*3*4"},
		{"😀 bold word", entities{{Type: "bold", Offset: 3, Length: 5}}, "😀 **bold** word"},
		{"a b", entities{{Type: "bold", Length: 3}, {Type: "italic", Offset: 2, Length: 1}}, "**a _b_**"},
		{"unword", entities{{Type: "italic", Length: 2}}, "*un*word"},
		{"two\nlines", entities{{Type: "bold", Length: 9}}, "**two**\n**lines**"},
		{"see page", entities{{Type: "text_link", Offset: 4, Length: 4, URL: "https://e.com/(a)"}}, "see [page](<https://e.com/(a)>)"},
		{"so: x := 1 ok", entities{{Type: "pre", Offset: 4, Length: 6, Language: "go"}}, "so: \n```go\nx := 1\n```\n ok"},
		{"run a`b", entities{{Type: "code", Offset: 4, Length: 3}}, "run `` a`b ``"},
		{"they said\nand I", entities{{Type: "expandable_blockquote", Length: 9}}, "> they said\n\nand I"},
		{"beyond", entities{{Type: "bold", Offset: 3, Length: 99}, {Type: "italic", Offset: -3, Length: -7}}, "bey**ond**"},
		{"crossing", entities{{Type: "bold", Length: 5}, {Type: "italic", Offset: 3, Length: 5}}, "**cro*ss***ing"},
	} {
		if got := toMarkdown(tt.text, tt.es); got != tt.want {
			t.Errorf("unformat(%q, %+v) = %q, want %q", tt.text, tt.es, got, tt.want)
		}
	}
}

// Markdown must survive a round trip.
func TestT4FormatRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		md := prose(r)
		text, es := format(md)
		again, more := format(toMarkdown(text, es))
		if again != text || !reflect.DeepEqual(es, more) {
			t.Fatalf("%q\nis %q %+v\nand as %q\n%q %+v", md, text, es, toMarkdown(text, es), again, more)
		}
	}
}

func prose(r *rand.Rand) string {
	pieces := []string{
		"word", "😀", "**bold 😀**", "_it is_", "**a _b_**", "~~gone~~", "||secret||", "<u>under</u>", "`code`", "\n\n", "\n",
		"[page](https://e.com/a)", "[**b** page](https://e.com/a)", "\n\n```go\nx := 1\n```\n\n", "שלום", "👨‍👩‍👧",
		"\n\n> a quote\n> goes on\n\n", "2 * 3", "**run `make`**",
	}
	var said []string
	for range 1 + r.IntN(12) {
		said = append(said, pieces[r.IntN(len(pieces))])
	}
	return strings.Join(said, " ")
}

// checkEntities checks entities against the rules of the Bot API.
func checkEntities(t *testing.T, text string, es []tgbotapi.MessageEntity) {
	t.Helper()
	units := utf16.Encode([]rune(text))
	var open []tgbotapi.MessageEntity
	for _, e := range es {
		if e.Offset < 0 || e.Length <= 0 || e.Offset+e.Length > len(units) {
			t.Fatalf("%+v is outside of %q", e, text)
		}
		inside := string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
		if trimmed := strings.TrimSpace(inside); trimmed == "" || !strings.HasSuffix(inside, trimmed) ||
			trimmed != inside && e.Type != "pre" && e.Type != "blockquote" {
			t.Fatalf("%+v of %q has blank ends: %q", e, text, inside)
		}
		if !strings.Contains(text, inside) {
			t.Fatalf("%+v tears a character of %q", e, text)
		}
		for len(open) > 0 && open[len(open)-1].Offset+open[len(open)-1].Length <= e.Offset {
			open = open[:len(open)-1]
		}
		for _, o := range open {
			if o.Offset+o.Length < e.Offset+e.Length || o.Type == e.Type {
				t.Fatalf("%+v overlaps %+v in %q", e, o, text)
			}
			if o.Type == "code" || o.Type == "pre" || (e.Type == "code" || e.Type == "pre") && o.Type != "blockquote" {
				t.Fatalf("%+v is in %+v in %q", e, o, text)
			}
		}
		open = append(open, e)
	}
}

// S8: what people write is not rendered from the persona's mouth, and no text hides an address.
func TestS8NoTextHidesAnAddress(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"[bank](https://evil.example)", "bank (https://evil.example)"},
		{"[Ann](tg://user?id=12) <tg://resolve?domain=x>", "Ann (tg:\u200b//user?id=12) tg:\u200b//resolve?domain=x"},
		{markdown.Escape("[a](b) ||c|| **d** `e`\n# f"), "[a](b) ||c|| **d** `e`\n# f"},
	} {
		text, es := format(tt.md)
		if text != tt.want || len(es) > 0 {
			t.Errorf("format(%q) = %q %+v, want %q", tt.md, text, es, tt.want)
		}
	}
	if text, _ := format("`git://host/x`"); text != "git://host/x" {
		t.Errorf("code became %q", text)
	}
}

// address matches what an app could make a link of.
var address = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://`)

func FuzzS8Links(f *testing.F) {
	f.Add("[a](tg://user?id=1) [b](javascript:x) <ton://y> ||c|| FTP://d `tg://e`")
	f.Fuzz(func(t *testing.T, text string) {
		shown, es := format(text)
		for _, e := range es {
			if e.Type == "text_link" || e.Type == "url" || e.Type == "text_mention" || e.URL != "" || e.User != nil {
				t.Fatalf("%q became %q with %+v", text, shown, e)
			}
		}
		shown, es = format(markdown.Escape(text))
		if len(es) > 0 {
			t.Fatalf("quoted, %q became %q with %+v", text, shown, es)
		}
		for _, a := range address.FindAllString(shown, -1) {
			if a = strings.ToLower(a); a != "http://" && a != "https://" {
				t.Fatalf("quoted, %q became %q, which links to %s", text, shown, a)
			}
		}
	})
}

func FuzzT4Format(f *testing.F) {
	f.Add("**a _b `c` d_ e** [x `y`](http://z.z) > q\n> ```\n> c\n> ```")
	f.Add("- a\n  1. b\n\n| x |\n|-|\n| ||y|| |\n# h\n***z*** <u>*u</u>*\n[a](b) @everyone \u202e\u200d\u200b")
	f.Fuzz(func(t *testing.T, md string) {
		text, es := format(md)
		checkEntities(t, text, es)
		if strings.TrimSpace(markdown.Parse(md).Text) != "" && strings.TrimSpace(text) == "" {
			t.Fatalf("%q became blank", md)
		}
		toMarkdown(md, es)
	})
}

func TestA6ChunksAreWithinTheLimit(t *testing.T) {
	l := channels.Limits{Text: 120, Unit: channels.UTF16, Format: func(md string) string { text, _ := format(md); return text }}
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		for _, c := range channels.Split(prose(r)+prose(r)+prose(r), l) {
			text, es := format(c)
			checkEntities(t, text, es)
			if n := len(utf16.Encode([]rune(text))); n > l.Text || n == 0 {
				t.Fatalf("%q takes %d", text, n)
			}
		}
	}
}
