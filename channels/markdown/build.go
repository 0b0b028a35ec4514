package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// builder converts a syntax tree to a Document.
type builder struct {
	src   []byte
	text  strings.Builder
	spans []Span
	// gap separates the last block from the next one with text; indent starts the lines of a list item.
	gap, indent string
}

func (b *builder) write(s string) {
	if s == "" {
		return
	}
	if b.text.Len() > 0 {
		b.text.WriteString(b.gap)
	}
	b.gap = ""
	b.text.WriteString(s)
}

func (b *builder) newline() { b.write("\n" + b.indent) }

// span records what inside writes as a span.
func (b *builder) span(k Kind, info string, inside func()) {
	if k == Pre {
		b.gap = strings.TrimRight(b.gap, " ")
	}
	if b.text.Len() > 0 { // the separator between blocks belongs to neither
		b.text.WriteString(b.gap)
	}
	b.gap = ""
	i := len(b.spans)
	b.spans = append(b.spans, Span{Start: b.text.Len(), Kind: k, Info: info})
	inside()
	b.spans[i].End = b.text.Len()
}

// blocks writes the blocks in parent, with the blank lines the source has between them.
func (b *builder) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.PreviousSibling() != nil {
			b.part(n)
		}
		b.block(n)
	}
}

// part starts the block n on a new line, after a blank one if the source has one.
func (b *builder) part(n ast.Node) {
	b.gap = "\n" + b.indent
	before, _ := cutLast(b.src[:max(0, n.Pos())])
	_, above := cutLast(before)
	if len(bytes.Trim(above, " \t\r>")) == 0 {
		b.gap = "\n" + b.gap
	}
}

// cutLast splits text before its last line.
func cutLast(text []byte) (before, last []byte) {
	i := bytes.LastIndexByte(text, '\n')
	return text[:max(0, i)], text[i+1:]
}

func (b *builder) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		b.span(Heading, strconv.Itoa(n.Level), func() { b.inlines(n) })
	case *ast.ThematicBreak:
		b.write("———")
	case *ast.FencedCodeBlock:
		b.pre(n)
	case *ast.Blockquote:
		b.span(Quote, "", func() { b.blocks(n) })
	case *ast.List:
		b.list(n)
	case *extast.Table:
		b.table(n)
	default: // a paragraph, or the text of a tight list item
		b.inlines(n)
	}
}

func (b *builder) pre(n *ast.FencedCodeBlock) {
	code := string(bytes.TrimRight(n.Lines().Value(b.src), "\n"))
	if code != "" {
		b.span(Pre, string(n.Language(b.src)), func() { b.write(code) })
	}
}

func (b *builder) list(l *ast.List) {
	outer, number := b.indent, l.Start
	defer func() { b.indent = outer }()
	for n := l.FirstChild(); n != nil; n = n.NextSibling() {
		if b.indent = outer; n.PreviousSibling() != nil {
			b.part(n)
		}
		if l.IsOrdered() {
			b.write(strconv.Itoa(number) + string(l.Marker))
			number++
		} else {
			b.span(Bullet, "", func() { b.write("•") })
		}
		if n.HasChildren() {
			b.write(" ")
			b.indent = outer + "  "
			b.blocks(n)
		}
	}
}

// table writes one row per line. A chat has no columns, and aligned code wraps badly on a phone.
func (b *builder) table(t *extast.Table) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		if row.PreviousSibling() == nil {
			b.span(Bold, "", func() { b.row(row) })
			continue
		}
		b.newline()
		b.row(row)
	}
}

func (b *builder) row(row ast.Node) {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if cell.PreviousSibling() != nil {
			b.write(" | ")
		}
		b.inlines(cell)
	}
	if more := b.overflow(row); more != "" {
		b.write(" | " + more)
	}
}

// overflow returns the text of a row after its last cell, if it has more cells than the header: the parser puts it in
// no cell.
func (b *builder) overflow(row ast.Node) string {
	lines := row.LastChild().Lines()
	if lines.Len() == 0 {
		return ""
	}
	more, _, _ := bytes.Cut(b.src[lines.At(0).Stop:], []byte("\n"))
	return literal(bytes.Trim(more, " \t\r|"))
}

// inlines writes the inline nodes in parent.
func (b *builder) inlines(parent ast.Node) {
	pairs := underlines(parent, b.src)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if shut, ok := pairs[n]; ok {
			b.span(Underline, "", func() {
				for n = n.NextSibling(); n != shut; n = n.NextSibling() {
					b.inline(n)
				}
			})
			continue
		}
		b.inline(n)
	}
}

// underlines pairs each <u> in parent with its </u>.
func underlines(parent ast.Node, src []byte) map[ast.Node]ast.Node {
	var pairs map[ast.Node]ast.Node
	var open ast.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		html, ok := n.(*ast.RawHTML)
		if !ok {
			continue
		}
		switch tag := string(html.Segments.Value(src)); {
		case tag == "<u>" && open == nil:
			open = n
		case tag == "</u>" && open != nil:
			if pairs == nil {
				pairs = map[ast.Node]ast.Node{}
			}
			pairs[open], open = n, nil
		}
	}
	return pairs
}

func (b *builder) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		b.write(literal(n.Segment.Value(b.src)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.newline()
		}
	case *ast.String:
		b.write(string(n.Value))
	case *ast.Emphasis:
		b.span(emphasis(n), "", func() { b.inlines(n) })
	case *pairNode:
		b.span(n.kind, "", func() { b.inlines(n) })
	case *ast.CodeSpan:
		b.span(Code, "", func() { b.write(code(n, b.src)) })
	case *ast.Link:
		b.link(n, literal(n.Destination))
	case *ast.Image:
		b.link(n, literal(n.Destination))
	case *ast.AutoLink:
		b.write(string(n.Label(b.src)))
	case *ast.RawHTML:
		b.write(string(n.Segments.Value(b.src)))
	}
}

func emphasis(n *ast.Emphasis) Kind {
	if n.Level == 2 {
		return Bold
	}
	return Italic
}

// code returns the text of a code span, on one line.
func code(n *ast.CodeSpan, src []byte) string {
	var text strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			text.Write(t.Segment.Value(src))
		}
	}
	return strings.ReplaceAll(text.String(), "\n", " ")
}

// link writes the text of a link or an image, or its target if it has no text.
func (b *builder) link(n ast.Node, target string) {
	b.span(Link, target, func() {
		before := b.text.Len()
		b.inlines(n)
		if b.text.Len() == before {
			b.write(target)
		}
	})
}

// literal resolves the escapes and HTML entities in raw source.
func literal(raw []byte) string {
	if !bytes.ContainsAny(raw, "\\&") {
		return string(raw)
	}
	var text []byte
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			n = len(raw)
		}
		text = append(text, util.ResolveEntityNames(util.ResolveNumericReferences(raw[:n]))...)
		if raw = raw[n:]; len(raw) == 0 {
			break
		}
		if raw = raw[1:]; len(raw) == 0 || !util.IsPunct(raw[0]) {
			text = append(text, '\\')
			continue
		}
		text, raw = append(text, raw[0]), raw[1:]
	}
	return string(text)
}
