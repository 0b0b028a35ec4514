package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Region is a stretch of a source that a cut must respect, by byte offsets: its opening mark is [Start, Body), what it
// holds [Body, Shut), its closing mark [Shut, End). What must stay whole, such as a link, is all mark: Body is End.
type Region struct {
	Start, Body, Shut, End int
	// Open and Close are what opens it again after a cut and closes it before one.
	Open, Close string
	// Lines says that its marks stand on lines of their own, and that it is cut between lines where that is possible.
	Lines bool
	// Indent is by how many spaces its lines are indented where Open is not.
	Indent int
	// Parent is the index of the region that holds it, -1 for none.
	Parent int
}

// Whole says that there is no place to cut inside.
func (r Region) Whole() bool { return r.Body == r.End && r.Open == "" }

// Regions finds the regions of md, outer ones first, in order. md is valid UTF-8.
func Regions(md string) []Region {
	raw := []byte(md)
	root, ends := read(raw)
	m := mapper{src: md, raw: raw, ends: ends, parent: -1}
	m.blocks(root)
	return m.found
}

// mapper finds the regions of one source.
type mapper struct {
	src    string
	raw    []byte // src once more, as the parser has it
	ends   ends
	found  []Region
	parent int
}

// within notes r around the regions that inside finds.
func (m *mapper) within(r Region, inside func(at int)) {
	r.Parent = m.parent
	m.parent = len(m.found)
	m.found = append(m.found, r)
	inside(m.parent)
	m.parent = r.Parent
}

func (m *mapper) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			m.within(m.fence(n), func(int) {})
		case *extast.Table:
			m.table(n)
		case *ast.Blockquote, *ast.List, *ast.ListItem:
			m.blocks(n)
		default:
			m.inlines(n)
		}
	}
}

// line is where the line that holds offset p starts, and where the next one does.
func (m *mapper) line(p int) (start, next int) {
	start = strings.LastIndexByte(m.src[:p], '\n') + 1
	n := strings.IndexByte(m.src[p:], '\n')
	if n < 0 {
		return start, len(m.src)
	}
	return start, p + n + 1
}

// fence is the region of a fenced code block. One that nobody closed has an empty closing mark.
func (m *mapper) fence(n *ast.FencedCodeBlock) Region {
	r := Region{Lines: true}
	r.Start, r.Body = m.line(n.Pos())
	r.Shut = r.Body
	if last := n.Lines().Len() - 1; last >= 0 {
		r.Shut = n.Lines().At(last).Stop
	}
	opener := strings.TrimRight(m.src[n.Pos():r.Body], "\r\n")
	marker := opener[:len(opener)-len(strings.TrimLeft(opener, opener[:1]))]
	r.End = r.Shut
	_, next := m.line(r.Shut)
	if line := strings.TrimRight(m.src[r.Shut:next], "\r\n"); strings.HasPrefix(strings.TrimLeft(line, " >"), marker) {
		r.End += len(line)
	}
	before := container(m.src[r.Start:n.Pos()])
	r.Open, r.Close = opener+"\n", before+marker
	if strings.Contains(before, ">") {
		r.Open = before + r.Open
	} else {
		r.Indent = len(before)
	}
	return r
}

// container is what begins a further line of the quotes and lists whose first line begins with prefix.
func container(prefix string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' {
			return r
		}
		return ' '
	}, prefix)
}

// table is cut between rows and begun again with its head.
func (m *mapper) table(t *extast.Table) {
	start, next := m.line(t.FirstChild().Pos())
	if next == len(m.src) {
		return
	}
	_, body := m.line(next)
	_, end := m.line(t.LastChild().Pos())
	if t.ChildCount() == 1 {
		end = body
	}
	r := Region{Start: start, Body: body, Shut: end, End: end, Open: m.src[start:body], Lines: true}
	m.within(r, func(int) {
		for row := t.FirstChild(); row != nil; row = row.NextSibling() {
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				m.inlines(cell)
			}
		}
	})
}

func (m *mapper) inlines(parent ast.Node) {
	pairs := underlines(parent, m.raw)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		shut, ok := pairs[n]
		if !ok {
			m.inline(n)
			continue
		}
		r := Region{Start: n.Pos(), Body: m.ends[n], Shut: shut.Pos(), End: m.ends[shut], Open: "<u>", Close: "</u>"}
		m.within(r, func(int) {
			for n = n.NextSibling(); n != shut; n = n.NextSibling() {
				m.inline(n)
			}
		})
	}
}

// inline notes the region of n and says where n starts and ends.
func (m *mapper) inline(n ast.Node) (start, end int) {
	width := 0
	switch n := n.(type) {
	case *ast.Text:
		return n.Segment.Start, n.Segment.Stop
	case *ast.Emphasis:
		width = n.Level
	case *paired:
		width = 2
	case *ast.CodeSpan:
		start, end = n.Pos(), m.ends[n]
		ticks := m.src[start:end]
		ticks = ticks[:len(ticks)-len(strings.TrimLeft(ticks, "`"))]
		m.within(Region{
			Start: start, Body: start + len(ticks), Shut: end - len(ticks), End: end, Open: ticks, Close: ticks,
		}, func(int) {})
		return start, end
	default: // a link, an image, a tag
		start, end = n.Pos(), m.ends[n]
		m.within(Region{Start: start, Body: end, Shut: end, End: end}, func(int) {})
		return start, end
	}
	m.within(Region{}, func(at int) {
		r := &m.found[at]
		r.Body, r.Shut = len(m.src), 0
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			start, end := m.inline(c)
			r = &m.found[at]
			r.Body, r.Shut = min(r.Body, start), max(r.Shut, end)
		}
		r.Start, r.End = max(0, r.Body-width), min(len(m.src), r.Shut+width)
		r.Open = m.src[r.Start:r.Body]
		r.Close = r.Open
		start, end = r.Start, r.End
	})
	return start, end
}
