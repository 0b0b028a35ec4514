// Package markdown reads the Markdown that models write, once for all networks: as plain text with nested spans, which
// each network's adapter turns into its own form, and as regions of the source, which keep a cut from tearing a link or
// leaving a fence open.
package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a Span means.
type Kind int

// The kinds of span.
const (
	Bold Kind = iota
	Italic
	Strike
	Underline // <u>…</u>: Markdown has no mark for it
	Spoiler   // ||…||
	Code
	Pre     // a block of code; Info is its language
	Link    // Info is its target
	Quote   // a block said by somebody else; quotes nest
	Heading // Info is its level, "1" to "6"
	Bullet  // the "•" before an item of a list
)

// Block says that a span of this kind stands on lines of its own.
func (k Kind) Block() bool { return k == Pre || k == Quote || k == Heading }

// Span is a stretch of a Document's text, by byte offsets.
type Span struct {
	Start, End int
	Kind       Kind
	// Info is what the Kind says it is, empty for most.
	Info string
}

// Document is plain text and what its stretches mean. Two spans are apart or one holds the other; the outer one comes
// first. None is blank or ends with white space, and only code and quotes begin with it.
type Document struct {
	Text  string
	Spans []Span
}

// Parse reads md. What is no known mark is text, HTML included; whatever md is, its words are in the text. A md that is not
// blank gives a text that is not blank. Invalid UTF-8 is replaced by U+FFFD.
func Parse(md string) Document {
	md = clean(md)
	root, _ := read([]byte(md))
	b := builder{src: []byte(md)}
	b.blocks(root)
	doc := Document{Text: strings.TrimRightFunc(b.text.String(), unicode.IsSpace), Spans: b.spans}
	if doc.Text == "" {
		return Document{Text: strings.TrimSpace(md)}
	}
	return doc.Tidy()
}

// clean makes md what the parser can take.
func clean(md string) string {
	md = strings.ToValidUTF8(md, string(utf8.RuneError))
	return strings.NewReplacer("\x00", string(utf8.RuneError), "\r\n", "\n").Replace(md)
}

// Tidy makes the spans of d keep the promises of a Document: it sorts and trims them, drops those that say nothing, and
// ends one that would overlap another where that one begins.
func (d Document) Tidy() Document {
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

// trim takes the white space off the ends of s, and says whether anything is left.
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

// sorted puts outer spans before those they hold, and keeps the order of equals.
func sorted(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	return spans
}

// PerLine is d with its inline spans cut at the ends of lines, for a network whose marks do not reach over one.
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
	return Document{Text: d.Text, Spans: spans}.Tidy()
}
