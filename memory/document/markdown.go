package document

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Markdown splits CommonMark with GitHub tables into passages of at most limit tokens, each under one heading. Code and
// tables stay whole, however long they are; lists are split between items, paragraphs between sentences. The front
// matter of site generators is left out.
func Markdown(source string, limit int) []Passage {
	m := markdown{source: []byte(withoutFrontMatter(normalizeLines(source))), limit: limit}
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(m.source))
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		m.take(node)
	}
	m.section()
	return m.out
}

// markdown is a document being split.
type markdown struct {
	source []byte
	limit  int
	// path is the current position: the nested headings with their levels.
	path   []heading
	blocks []block
	out    []Passage
}

type heading struct {
	level int
	text  string
}

// take processes one block of the document.
func (m *markdown) take(node ast.Node) {
	switch node := node.(type) {
	case *ast.Heading:
		m.section()
		m.path = slices.DeleteFunc(m.path, func(h heading) bool { return h.level >= node.Level })
		if title := singleLine(m.plain(node)); title != "" {
			m.path = append(m.path, heading{node.Level, title})
		}
	case *ast.ThematicBreak: // a horizontal rule
	case *ast.HTMLBlock:
		if raw := m.raw(node, node.NextSibling()); !strings.HasPrefix(raw, "<!--") {
			m.add(block{text: raw})
		}
	case *ast.Paragraph:
		m.add(block{text: singleLine(m.raw(node, node.NextSibling())), prose: true})
	case *ast.List:
		b := block{text: m.raw(node, node.NextSibling())}
		for item := node.FirstChild(); item != nil; item = item.NextSibling() {
			next := item.NextSibling()
			if next == nil {
				next = node.NextSibling()
			}
			b.items = append(b.items, m.raw(item, next))
		}
		m.add(b)
	default:
		m.add(block{text: m.raw(node, node.NextSibling())})
	}
}

func (m *markdown) add(b block) {
	if b.text != "" {
		m.blocks = append(m.blocks, b)
	}
}

// section ends the content under the current heading.
func (m *markdown) section() {
	var titles []string
	for _, h := range m.path {
		titles = append(titles, h.text)
	}
	m.out = append(m.out, passages(titles, m.blocks, m.limit)...)
	m.blocks = nil
}

// raw returns the source of a block up to next, or to the end if next is nil.
func (m *markdown) raw(node, next ast.Node) string {
	from, until := m.lineOf(node), len(m.source)
	if next != nil {
		until = m.lineOf(next)
	}
	if until < from {
		return ""
	}
	return strings.TrimRight(strings.Trim(string(m.source[from:until]), "\n"), " \n")
}

// lineOf returns the offset of the line in which a block begins.
func (m *markdown) lineOf(node ast.Node) int {
	at := min(max(node.Pos(), 0), len(m.source))
	return bytes.LastIndexByte(m.source[:at], '\n') + 1
}

// plain returns the text of a heading without markup.
func (m *markdown) plain(node ast.Node) string {
	var b strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			b.Write(child.Segment.Value(m.source))
			if child.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(child.Value)
		case *ast.AutoLink:
			b.Write(child.Label(m.source))
		default:
			b.WriteString(m.plain(child))
		}
	}
	return b.String()
}

// frontMatter delimits the front matter of site generators.
const frontMatter = "---\n"

func withoutFrontMatter(source string) string {
	rest, found := strings.CutPrefix(source, frontMatter)
	if !found {
		return source
	}
	if body, found := strings.CutPrefix(rest, frontMatter); found {
		return body
	}
	if _, body, found := strings.Cut(rest, "\n"+frontMatter); found {
		return body
	}
	return source
}
