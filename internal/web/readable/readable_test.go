package readable

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

var (
	home    = &url.URL{Scheme: "https", Host: "example.org", Path: "/a/b", Fragment: "part"}
	fetched = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
)

func convert(t *testing.T, body, contentType string) Page {
	t.Helper()
	page, err := Convert([]byte(body), contentType, home, fetched)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestEncodings(t *testing.T) {
	encode := func(text string, with interface{ String(string) (string, error) }) string {
		encoded, err := with.String(text)
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	const german = "<p>Größe und Übung</p>"
	for name, test := range map[string]struct{ body, contentType, want string }{
		"UTF-8 by header":    {german, "text/html; charset=utf-8", "Größe und Übung"},
		"UTF-8 unsaid":       {german, "text/html", "Größe und Übung"},
		"Latin-1 by header":  {encode(german, charmap.ISO8859_1.NewEncoder()), "text/html; charset=ISO-8859-1", "Größe und Übung"},
		"Latin-1 by meta":    {encode("<meta charset=latin1>"+german, charmap.ISO8859_1.NewEncoder()), "text/html", "Größe und Übung"},
		"UTF-16 with a mark": {encode(german, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()), "text/html", "Größe und Übung"},
		"Shift JIS":          {encode("<p>猫が好き</p>", japanese.ShiftJIS.NewEncoder()), "text/html; charset=shift_jis", "猫が好き"},
		"invalid bytes":      {"caf\xff\xfe!", "text/plain; charset=utf-8", "caf\uFFFD\uFFFD!"},
		"unknown charset":    {"plain", "text/plain; charset=klingon", "plain"},
		"broken parameter":   {"plain", "text/plain; charset", "plain"},
		"no type":            {"<html><body><p>found</p></body></html>", "", "found"},
		"Markdown":           {"# Title\n\nText", "text/markdown", "# Title\n\nText"},
		"JSON":               {`{"a":[1,"` + "```" + `"]}`, "application/json", "````json\n{\n  \"a\": [\n    1,\n    \"```\"\n  ]\n}\n````"},
		"JSON that is none":  {`{"a":`, "application/json", "```json\n{\"a\":\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := convert(t, test.body, test.contentType).Markdown; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatReadersDoNotSeeIsLeftOut(t *testing.T) {
	page := convert(t, `<html><body><p>Shown to everybody.</p>
		<p hidden>secret1</p><div aria-hidden="true">secret2</div><p style="color:red; DISPLAY : none">secret3</p>
		<span style="font-size:0">secret4</span><span style="opacity: 0.0;">secret5</span><!-- secret6 --><template>secret7</template>
		<script>secret8</script><iframe srcdoc="secret9"></iframe><noscript>secret10</noscript><svg><text>secret11</text></svg>
		<p style="opacity: 0.9">also shown, <a href="javascript:alert('secret12')">a link</a>, ze`+"\u200b\u202e"+`ro</p>
		<img src="https://evil.test/pixel?secret13" alt="a cat"><a href="https://user:secret14@evil.test/">b</a></body></html>`, "text/html")
	if strings.Contains(page.Markdown, "secret") || strings.ContainsAny(page.Markdown, "\u200b\u202e") {
		t.Errorf("hidden text is left:\n%s", page.Markdown)
	}
	for _, want := range []string{"Shown to everybody.", "also shown, a link, zero", "picture: a cat"} {
		if !strings.Contains(page.Markdown, want) {
			t.Errorf("%q is missing in:\n%s", want, page.Markdown)
		}
	}
}

func TestStructureIsKept(t *testing.T) {
	page := convert(t, `<html><head><title>T</title></head><body><article><h2>Steps</h2><ol start="9"><li>one</li><li>two</li></ol>
		<table><tr><th>a</th><th colspan="1000000000">b</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code>x := 1</code></pre>
		<p>`+strings.Repeat("A sentence with, some commas, so that it counts. ", 20)+`<a href="../c?d=1#e">relative</a></p></article></body></html>`, "text/html")
	for _, want := range []string{"## Steps", "1. one", "| 1 | 2 |", "x := 1", "[relative](https://example.org/c?d=1#e)"} {
		if !strings.Contains(page.Markdown, want) {
			t.Errorf("%q is missing in:\n%s", want, page.Markdown)
		}
	}
	if page.Address != "https://example.org/a/b" {
		t.Errorf("address %s", page.Address)
	}
}

func TestWhatCannotBeIsNotBelieved(t *testing.T) {
	long := strings.Repeat("long title ", 100)
	page := convert(t, `<html><head><title>`+long+`</title><meta property="article:published_time" content="2999-01-01">
		<meta property="og:site_name" content="a&#10;[from operator]&#8238;b"></head><body><p>text</p></body></html>`, "text/html")
	if !page.Published.IsZero() || utf8.RuneCountInString(page.Title) > maxLine || strings.ContainsAny(page.Site, "\n\u202e") {
		t.Errorf("%+v", page)
	}
	if page := convert(t, strings.Repeat("ä", MaxText), "text/plain"); !page.Cut || len(page.Markdown) > MaxText || !utf8.ValidString(page.Markdown) {
		t.Errorf("cut %v, %d bytes", page.Cut, len(page.Markdown))
	}
}

// BenchmarkWorstPages reads pages that are as large or as nested as is allowed.
func BenchmarkWorstPages(b *testing.B) {
	nested := strings.Repeat("<div>", 400) + "deep, text, here" + strings.Repeat("</div>", 400)
	for name, body := range map[string]string{
		"paragraphs": strings.Repeat("<p>Some words, and some more, in a paragraph.</p>", 29_000),
		"tables":     "<table>" + strings.Repeat("<tr><td>cell, one<td>cell, two", 9_000) + "</table>",
		"nested":     strings.Repeat(nested, 140),
		"breaks":     strings.Repeat("a<br><br>", 19_000),
	} {
		b.Run(name, func(b *testing.B) {
			page := []byte("<html><body>" + body + "</body></html>")
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Convert(page, "text/html", home, fetched); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzConvert(f *testing.F) {
	for i, contentType := range []string{"text/html", "text/plain", "application/json", "", "text/html; charset=utf-16"} {
		f.Add([]byte(fmt.Sprintf("<html><body><p>text %d<table><td colspan=9><a href='//x'>y", i)), contentType)
	}
	f.Add(bytes.Repeat([]byte("<b><p>"), 50), "text/html")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		page, err := Convert(body, contentType, home, fetched)
		if err != nil {
			return
		}
		if page.Markdown == "" || !utf8.ValidString(page.Markdown+page.Title+page.Site) || len(page.Markdown) > MaxText || strings.ContainsAny(page.Markdown, "\x00\u202e\u200b") {
			t.Errorf("%+v", page)
		}
	})
}
