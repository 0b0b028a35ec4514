package document_test

import (
	"strings"
	"testing"

	"familiar/internal/tokens"
	"familiar/memory/document"
)

// show formats passages as "A › B: text", one after the other.
func show(passages []document.Passage) string {
	var out []string
	for _, p := range passages {
		out = append(out, strings.Join(p.Headings, " › ")+": "+p.Text)
	}
	return strings.Join(out, "\n==\n")
}

func TestMarkdown(t *testing.T) {
	for name, tc := range map[string]struct {
		source string
		limit  int
		want   string
	}{
		"nothing":   {" \n\n", 50, ""},
		"headings":  {"intro\n\n# A\none\n## B *b*\ntwo\n\nthree\n# C `c`\nfour", 50, ": intro\n==\nA: one\n==\nA › B b: two\n\nthree\n==\nC c: four"},
		"no bodies": {"# A\n## B\n### C\n## D\nd\n", 50, "A › D: d"},
		"setext":    {"A\n=\none\n\nB\n-\ntwo", 50, "A: one\n==\nA › B: two"},
		"skipped":   {"### Deep\nx\n# Top\ny", 50, "Deep: x\n==\nTop: y"},
		"paragraph": {"one\ntwo  \nthree", 50, ": one two three"},
		"code":      {"# A\nsee:\n\n```go\n# not a heading\n\nx := 1. y\n```\ndone", 50, "A: see:\n\n```go\n# not a heading\n\nx := 1. y\n```\n\ndone"},
		"long code": {"```\n" + strings.Repeat("line\n", 40) + "```", 20, ": ```\n" + strings.Repeat("line\n", 40) + "```"},
		"indented":  {"a\n\n    code\n      more\n\nb", 50, ": a\n\n    code\n      more\n\nb"},
		"list":      {"* one\n* two\n  * deep\n* three\n\nend", 50, ": * one\n* two\n  * deep\n* three\n\nend"},
		"long list": {
			"# L\n1. the first of the items\n2. the second one\n   - and a part of it\n3. the third of the items\n", 12,
			"L: 1. the first of the items\n==\nL: 2. the second one\n   - and a part of it\n==\nL: 3. the third of the items",
		},
		"table":        {"| a | b |\n|---|---|\n| 1 | 2 |\n", 2, ": | a | b |\n|---|---|\n| 1 | 2 |"},
		"quote":        {"> # no heading of ours\n> said", 50, ": > # no heading of ours\n> said"},
		"comment":      {"<!-- hidden -->\n\nshown", 50, ": shown"},
		"rule":         {"a\n\n---\n\nb", 50, ": a\n\nb"},
		"front matter": {"---\ntitle: x\n---\n# A\nb", 50, "A: b"},
		"windows":      {"# A\r\none\r\n\r\ntwo\r\n", 50, "A: one\n\ntwo"},
		"sentences": {
			"The first sentence is here. This one is short. The third sentence is a long one, it says a lot. The end is near. Done.", 24,
			": The first sentence is here. This one is short.\n==\n: This one is short. The third sentence is a long one, it says a lot. The end is near." +
				"\n==\n: The end is near. Done.",
		},
		"no overlap": {
			"The first sentence is a rather long one about boats. The third sentence is a long one as well.", 22,
			": The first sentence is a rather long one about boats.\n==\n: The third sentence is a long one as well.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := show(document.Markdown(tc.source, tc.limit)); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	got := show(document.Plain("# one\ntwo\n\n \nthree. Four.\n\n\nfive", 50))
	if want := ": # one two\n\nthree. Four.\n\nfive"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := document.Plain(" \n\n", 50); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

// FuzzMarkdown splits any input: every word of prose must be in some passage, and no passage of prose may exceed the
// limit.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"# A\n\nb. c! d?", "* a\n  * b\n\n    c\n* d", "```\nx", "a\n=\n", "| a |\n|-|\n| b |", "> > a\n\n[x]: y", "\ufeff# a", "---\na\n---", "<b>\n\n</b>",
	} {
		f.Add(seed, 10)
	}
	f.Fuzz(func(t *testing.T, source string, limit int) {
		limit = 1 + max(limit, -limit)%100
		for _, p := range append(document.Markdown(source, limit), document.Plain(source, limit)...) {
			if strings.TrimSpace(p.Text) == "" {
				t.Errorf("an empty passage under %q", p.Headings)
			}
		}
		plain := document.Plain(source, limit)
		var all strings.Builder
		for _, p := range plain {
			all.WriteString(p.Text + "\n")
			if len(strings.Fields(p.Text)) > 1 && tokens.Estimate(p.Text) > limit {
				t.Errorf("%d tokens of %d: %q", tokens.Estimate(p.Text), limit, p.Text)
			}
		}
		for _, word := range strings.Fields(source) {
			if !strings.Contains(all.String(), word) {
				t.Errorf("%q is in no passage", word)
			}
		}
	})
}
