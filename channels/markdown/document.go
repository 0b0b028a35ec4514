// Package markdown parses the Markdown that models write, for all networks: as plain text with nested spans, which each
// adapter converts to its network's format, and as regions of the source, which a cut must respect so that it does not
// break a link or leave a code block open.
package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the meaning of a Span.
type Kind int

// The kinds of span.
const (
	Bold Kind = iota
	Italic
	Strike
	Underline // <u>…</u>: Markdown has no mark for it
	Spoiler   // ||…||
	Code
	Pre     // a code block; Info is its language
	Link    // Info is its target
	Quote   // a quoted block; quotes nest
	Heading // Info is its level, "1" to "6"
	Bullet  // the "•" before a list item
)

// Block reports whether a span of this kind occupies whole lines.
func (k Kind) Block() bool { return k == Pre || k == Quote || k == Heading }

// Span is a range of a Document's text, in byte offsets.
type Span struct {
	Start, End int
	Kind       Kind
	// Info depends on the Kind, empty for most.
	Info string
}

// Document is plain text with spans. Two spans are disjoint or nested; outer spans come first. No span is blank or ends
// with white space, and only code and quotes may start with it.
type Document struct {
	Text  string
	Spans []Span
}

// Parse parses md. Unknown marks, including HTML, are text, so no words of md are lost. If md is not blank, neither is
// the text. Invalid UTF-8 is replaced by U+FFFD.
func Parse(md string) Document {
	md = clean(md)
	root, _ := read([]byte(md))
	b := builder{src: []byte(md)}
	b.blocks(root)
	doc := Document{Text: strings.TrimRightFunc(b.text.String(), unicode.IsSpace), Spans: b.spans}
	if doc.Text == "" {
		return Document{Text: strings.TrimSpace(md)}
	}
	return doc.Normalize()
}

// clean prepares md for the parser.
func clean(md string) string {
	md = strings.ToValidUTF8(md, string(utf8.RuneError))
	return strings.NewReplacer("\x00", string(utf8.RuneError), "\r\n", "\n").Replace(md)
}

// Normalize establishes the invariants of a Document: it sorts and trims the spans, drops empty ones, and ends a span
// where an overlapping one begins.
func (d Document) Normalize() Document {
	var kept, open []Span
	for _, s := range sorted(d.trimmed()) {
		for len(open) > 0 && open[len(open)-1].End <= s.Start {
			open = open[:len(open)-1]
		}
		if slices.ContainsFunc(open, func(o Span) bool { return o.Kind == s.Kind && s.Kind != Quote }) {
			continue
		}
		if len(open) > 0 {
			s.End = min(s.End, open[len(open)-1].End)
		}
		if s, ok := d.trim(s); ok {
			kept, open = append(kept, s), append(open, s)
		}
	}
	return Document{Text: d.Text, Spans: kept}
}

func (d Document) trimmed() []Span {
	var spans []Span
	for _, s := range d.Spans {
		if s, ok := d.trim(s); ok {
			spans = append(spans, s)
		}
	}
	return spans
}

// trim removes white space from both ends of s, and reports whether anything is left.
func (d Document) trim(s Span) (Span, bool) {
	s.End = min(s.End, len(d.Text))
	if s.Start >= s.End {
		return s, false
	}
	inside := d.Text[s.Start:s.End]
	if strings.TrimSpace(inside) == "" {
		return s, false
	}
	s.End = s.Start + len(strings.TrimRightFunc(inside, unicode.IsSpace))
	words := strings.TrimLeftFunc(inside, unicode.IsSpace)
	if s.Kind == Pre || s.Kind == Quote { // the first line of code may be indented
		words = strings.TrimLeft(inside, "\n")
	}
	s.Start += len(inside) - len(words)
	return s, true
}

// sorted puts outer spans before inner ones, and keeps the order of equal spans.
func sorted(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	return spans
}

// PerLine splits inline spans at line ends, for networks whose marks do not extend across lines.
func (d Document) PerLine() Document {
	var spans []Span
	for _, s := range d.Spans {
		for !s.Kind.Block() {
			n := strings.IndexByte(d.Text[s.Start:s.End], '\n')
			if n < 0 {
				break
			}
			spans = append(spans, Span{s.Start, s.Start + n, s.Kind, s.Info})
			s.Start += n + 1
		}
		spans = append(spans, s)
	}
	return Document{Text: d.Text, Spans: spans}.Normalize()
}
