package whatsapp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"familiar/channels/markdown"
)

func TestW6FormatWritesWhatsAppsMarks(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"**b** _i_ *i* ~~s~~ `c`", "*b* _i_ _i_ ~s~ `c`"},
		{"***both***", "_*both*_"},
		{"# h\ntext", "*h*\ntext"},
		{"## h **b**", "*h b*"},
		{"[t](https://e.com) [https://e.com](https://e.com)", "t (https://e.com) https://e.com"},
		{"||p|| <u>u</u>", "p u"},
		{"```go\na\n```", "```\na\n```"},
		{"- a\n- b", "- a\n- b"},
		{"> q\n> r", "> q\n> r"},
		{"**two\nlines**", "*two*\n*lines*"},
		{"un**bold**ed", "unbolded"},
		{"| a | b |\n|---|---|\n| 1 | 2 |", "*a | b*\n1 | 2"},
		{"2 * 3", "2 * 3"},
	} {
		if got := format(tt.md); got != tt.want {
			t.Errorf("format(%q) = %q, want %q", tt.md, got, tt.want)
		}
	}
}

// S8: what people write is not rendered from the persona's mouth, and no text hides an address. A hair space after a mark
// keeps it from being read as one.
func TestS8QuotedMarksAreShownLiterally(t *testing.T) {
	for _, tt := range []struct{ md, want string }{
		{"[bank](https://evil.example) [me](tg://x)", "bank (https://evil.example) me (tg:\u200b//x)"},
		{markdown.Escape("*b* _i_ ~s~ `c`"), "*\u200ab* _\u200ai_ ~\u200as~ `\u200ac`"},
		{markdown.Escape("> said"), "\u200b> said"},
		{"**b** " + markdown.Escape("2*3*4, *lone"), "*b* 2*3*4, *\u200alone"},
		{"~5 km, snake_case, 2 * 3", "~5 km, snake_case, 2 * 3"},
	} {
		if got := format(tt.md); got != tt.want {
			t.Errorf("format(%q) = %q, want %q", tt.md, got, tt.want)
		}
	}
}

func FuzzS8Quoted(f *testing.F) {
	f.Add("*a* _b_ ~c~ `d` ```e``` *_f_* (*g*)\n> h")
	f.Fuzz(func(t *testing.T, text string) {
		shown := format(markdown.Escape(text))
		if back := toMarkdown(shown); back != shown && !strings.Contains(text, "`") {
			t.Fatalf("quoted, %q became %q, which is read as %q", text, shown, back)
		}
	})
}

func TestW6UnformatReadsWhatsAppsMarks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"*b* _i_ ~s~", "**b** _i_ ~~s~~"},
		{"*a* *b*", "**a** **b**"},
		{"_*both*_", "_**both**_"},
		{"2*3*4 and 2 * 3 * 4", "2*3*4 and 2 * 3 * 4"},
		{"* item\n* other", "* item\n* other"},
		{"*not\nover lines*", "*not\nover lines*"},
		{"**already**", "**already**"},
		{"`*c*` ```x```", "`*c*` `x`"},
		{"so: ```a\nb```", "so: ```\na\nb\n```"},
		{"*ünï*, (*so*)", "**ünï**, (**so**)"},
		{"~5 or ~6", "~5 or ~6"},
	} {
		if got := toMarkdown(tt.text); got != tt.want {
			t.Errorf("unformat(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestW6FormatRoundTrip(t *testing.T) {
	pieces := []string{
		"word", "😀", "**bold 😀**", "_it is_", "**a _b_**", "~~gone~~", "`code`", "\n\n", "[page](https://e.com/a)",
		"\n\n```\nx := 1\n```\n\n", "שלום", "snake_case", "\n\n> a quote\n> goes on\n\n", "2 * 3", "\n## head\n", "\n- one\n- two\n\n", "~5",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		var said []string
		for range 1 + r.IntN(12) {
			said = append(said, pieces[r.IntN(len(pieces))])
		}
		text := format(strings.Join(said, " "))
		if again := format(toMarkdown(text)); again != text {
			t.Fatalf("%q came back as %q, which is %q", text, toMarkdown(text), again)
		}
	}
}

func FuzzW6Format(f *testing.F) {
	f.Add("**a _b `c` d_ e** [x](y) > q\n> ```\n> c\n> ```")
	f.Add("*a* ~b~ `c` ``` d\n```\n*\n_*~x~*_ \u202e\u200b")
	f.Fuzz(func(t *testing.T, md string) {
		got := format(md)
		if !utf8.ValidString(got) || strings.TrimSpace(markdown.Parse(md).Text) != "" && strings.TrimSpace(got) == "" {
			t.Fatalf("%q became %q", md, got)
		}
		if back := toMarkdown(md); len(back) < len(strings.TrimSpace(md))/2 {
			t.Fatalf("unformat(%q) = %q", md, back)
		}
	})
}
