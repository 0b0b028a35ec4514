package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Region is a range of the source that a cut must respect, in byte offsets: its opening mark is [Start, Body), its
// content [Body, BodyEnd), its closing mark [BodyEnd, End). An indivisible region such as a link consists only of
// marks: Body is End.
type Region struct {
	Start, Body, BodyEnd, End int
	// Open and Close are the marks to reopen it after a cut and to close it before one.
	Open, Close string
	// Multiline reports that its marks occupy whole lines, and that it is cut between lines where possible.
	Multiline bool
	// Indent is how many more spaces its lines are indented than Open.
	Indent int
	// Parent is the index of the enclosing region, -1 for none.
	Parent int
}

// Indivisible reports that the region must not be cut inside.
func (r Region) Indivisible() bool { return r.Body == r.End && r.Open == "" }

// Regions returns the regions of md in order, outer ones first. md must be valid UTF-8.
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
	raw    []byte // src as the parser receives it
	ends   ends
	found  []Region
	parent int
}

// addAround adds r around the regions that inside finds.
func (m *mapper) addAround(r Region, inside func(at int)) {
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
			m.addAround(m.fence(n), func(int) {})
		case *extast.Table:
			m.table(n)
		case *ast.Blockquote, *ast.List, *ast.ListItem:
			m.blocks(n)
		default:
			m.inlines(n)
		}
	}
}

// line returns the start of the line that contains offset p, and the start of the next one.
func (m *mapper) line(p int) (start, next int) {
	start = strings.LastIndexByte(m.src[:p], '\n') + 1
	n := strings.IndexByte(m.src[p:], '\n')
	if n < 0 {
		return start, len(m.src)
	}
	return start, p + n + 1
}

// fence returns the region of a fenced code block. An unclosed block has an empty closing mark.
func (m *mapper) fence(n *ast.FencedCodeBlock) Region {
	r := Region{Multiline: true}
	r.Start, r.Body = m.line(n.Pos())
	r.BodyEnd = r.Body
	if last := n.Lines().Len() - 1; last >= 0 {
		r.BodyEnd = n.Lines().At(last).Stop
	}
	opener := strings.TrimRight(m.src[n.Pos():r.Body], "\r\n")
	marker := opener[:len(opener)-len(strings.TrimLeft(opener, opener[:1]))]
	r.End = r.BodyEnd
	_, next := m.line(r.BodyEnd)
	if line := strings.TrimRight(m.src[r.BodyEnd:next], "\r\n"); strings.HasPrefix(strings.TrimLeft(line, " >"), marker) {
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

// container returns the prefix of a further line in the quotes and lists whose first line starts with prefix.
func container(prefix string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' {
			return r
		}
		return ' '
	}, prefix)
}

// table is cut between rows; its header is repeated.
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
	r := Region{Start: start, Body: body, BodyEnd: end, End: end, Open: m.src[start:body], Multiline: true}
	m.addAround(r, func(int) {
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
		r := Region{Start: n.Pos(), Body: m.ends[n], BodyEnd: shut.Pos(), End: m.ends[shut], Open: "<u>", Close: "</u>"}
		m.addAround(r, func(int) {
			for n = n.NextSibling(); n != shut; n = n.NextSibling() {
				m.inline(n)
			}
		})
	}
}

// inline adds the region of n and returns where n starts and ends.
func (m *mapper) inline(n ast.Node) (start, end int) {
	width := 0
	switch n := n.(type) {
	case *ast.Text:
		return n.Segment.Start, n.Segment.Stop
	case *ast.Emphasis:
		width = n.Level
	case *pairNode:
		width = 2
	case *ast.CodeSpan:
		start, end = n.Pos(), m.ends[n]
		ticks := m.src[start:end]
		ticks = ticks[:len(ticks)-len(strings.TrimLeft(ticks, "`"))]
		m.addAround(Region{
			Start: start, Body: start + len(ticks), BodyEnd: end - len(ticks), End: end, Open: ticks, Close: ticks,
		}, func(int) {})
		return start, end
	default: // a link, an image, a tag
		start, end = n.Pos(), m.ends[n]
		m.addAround(Region{Start: start, Body: end, BodyEnd: end, End: end}, func(int) {})
		return start, end
	}
	m.addAround(Region{}, func(at int) {
		r := &m.found[at]
		r.Body, r.BodyEnd = len(m.src), 0
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			start, end := m.inline(c)
			r = &m.found[at]
			r.Body, r.BodyEnd = min(r.Body, start), max(r.BodyEnd, end)
		}
		r.Start, r.End = max(0, r.Body-width), min(len(m.src), r.BodyEnd+width)
		r.Open = m.src[r.Start:r.Body]
		r.Close = r.Open
		start, end = r.Start, r.End
	})
	return start, end
}
