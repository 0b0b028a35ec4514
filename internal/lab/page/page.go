// Package page writes what was measured as Markdown.
package page

import (
	"fmt"
	"io"
	"strings"

	"familiar/prompts"
)

// Page is a Markdown document that grows line by line.
type Page struct{ text strings.Builder }

// Line adds a line.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// Row adds one row of a table.
func (p *Page) Row(cells ...string) { p.Line("| %s |", strings.Join(cells, " | ")) }

// Head adds the head of a table: its titles, and the rule of the first column and of all others, such as "---" or "---:".
func (p *Page) Head(first, others string, titles ...string) {
	rules := []string{first}
	for range titles[1:] {
		rules = append(rules, others)
	}
	p.Row(titles...)
	p.Row(rules...)
}

// Verdicts adds a table of verdicts by the names of what was judged; those that are nil are left out.
func (p *Page) Verdicts(names []string, verdicts []*prompts.Verdict) {
	begun := false
	for i, v := range verdicts {
		if v == nil {
			continue
		}
		titles, cells := []string{"judged, 1–5"}, []string{names[i]}
		for _, m := range v.Marks() {
			titles, cells = append(titles, m.Of), append(cells, fmt.Sprint(m.Given))
		}
		if !begun {
			p.Head("---", "---:", append(titles, "why")...)
		}
		begun = true
		p.Row(append(cells, Escape(v.Why))...)
	}
}

// Write writes the page.
func (p *Page) Write(out io.Writer) error {
	_, err := io.WriteString(out, p.text.String())
	return err
}

// Escape returns a text on one line of Markdown that means nothing but itself.
func Escape(text string) string { return marks.Replace(strings.Join(strings.Fields(text), " ")) }

var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`)

// Said returns an escaped message, or a placeholder when it is empty.
func Said(text string) string {
	if text == "" {
		return "*nothing*"
	}
	return Escape(text)
}
